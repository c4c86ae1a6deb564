import type { Store } from '../shared/api.generated.ts'
import { api } from '../shared/api.ts'

type Labels = Store['labels']

/** How the store of these deliveries prints: its format and printer. Deliveries of several stores print as PDF. */
export function findLabels(
  stores: readonly Pick<Store, 'id' | 'labels'>[],
  deliveries: readonly { store_id: string }[],
): Labels {
  const [first] = deliveries
  const isOneStore = deliveries.every(({ store_id }) => store_id === first?.store_id)
  const store = isOneStore ? stores.find(({ id }) => id === first?.store_id) : undefined
  return store?.labels ?? { format: 'pdf' }
}

export const ZPL_FILE = 'labels.zpl'

/**
 * Prints these deliveries' labels in this order: opens a PDF in a new tab, or saves ZPL as a file for the printer's
 * software. Returns the document's address, in case the browser blocked the tab or the file.
 */
export async function printLabels(
  tenantId: string,
  deliveryIds: readonly string[],
  format: Labels['format'],
): Promise<string> {
  // The empty tab opens at once, while the browser still counts it as the user's action.
  const tab = format === 'pdf' ? window.open('', '_blank') : null
  try {
    const document = await api.POST('/{tenant_id}/deliveries/labels', {
      params: { path: { tenant_id: tenantId } },
      body: { delivery_ids: [...deliveryIds], ...(format !== 'pdf' && { format }) },
    })
    const address = URL.createObjectURL(document)
    if (tab) tab.location.href = address
    if (format === 'zpl') saveFile(address)
    return address
  } catch (error) {
    tab?.close()
    throw error
  }
}

function saveFile(address: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = ZPL_FILE
  link.click()
}
