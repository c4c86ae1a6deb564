import type { AssistantAuthorization } from '../../shared/api.generated.ts'

export type AssistantAccess = AssistantAuthorization['access']

export const ACCESS_TEXTS: Readonly<Record<AssistantAccess, { title: string; text: string }>> = {
  read: { title: 'Only read', text: 'Find deliveries, prices, stores and reports.' },
  write: {
    title: 'Also make changes',
    text: 'Plan and carry out bookings, changes, cancellations and manifests.',
  },
}
