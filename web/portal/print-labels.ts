import { answerOf, api } from '../shared/api.ts'

/**
 * One PDF of these deliveries' labels, in this order, opened beside the page to be printed. The empty tab is opened
 * at once, while the browser still takes it for what the person did; answers the PDF's address for where it is not.
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
