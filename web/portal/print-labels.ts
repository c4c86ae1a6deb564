import { answerOf, api } from '../shared/api.ts'

/**
 * Opens one PDF of these deliveries' labels, in this order, in a new tab for printing. The empty tab opens at once,
 * while the browser still counts it as the user's action; returns the PDF's address in case it was blocked.
 */
export async function openLabels(tenantId: string, deliveryIds: readonly string[]): Promise<string> {
  const tab = window.open('', '_blank')
  try {
    const pdf = await answerOf(
      api.POST('/{tenant_id}/deliveries/labels', {
        params: { path: { tenant_id: tenantId } },
        body: { delivery_ids: [...deliveryIds] },
        parseAs: 'blob',
      }),
    )
    const address = URL.createObjectURL(pdf as unknown as Blob)
    if (tab) tab.location.href = address
    return address
  } catch (error) {
    tab?.close()
    throw error
  }
}
