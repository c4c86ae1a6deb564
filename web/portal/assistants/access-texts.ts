import type { AssistantAuthorization } from '../../shared/api.generated.ts'

export type AssistantAccess = AssistantAuthorization['access']

export const ACCESS_TEXTS: Readonly<Record<AssistantAccess, { title: string; text: string }>> = {
  read: { title: 'Read only', text: 'See deliveries, prices, stores and reports.' },
  write: {
    title: 'Read and make changes',
    text: 'Book, change, reassign and cancel deliveries, and submit manifests.',
  },
}
