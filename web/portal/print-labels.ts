import type { Store } from '../shared/api.generated.ts'
import { request } from '../shared/api.ts'
import { formatList } from '../shared/format-list.ts'

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

/** The server's limit for `delivery_ids`. A browser opens only one tab for one press, so more cannot be printed. */
export const MAX_PRINTED = 200

export const ZPL_FILE = 'labels.zpl'

/**
 * Prints these deliveries' labels in this order: opens a PDF in a new tab, or saves ZPL as a file for the printer's
 * software. Returns the document's address, in case the browser blocked the tab or the file. Of several deliveries, the
 * server leaves out those that have no label now.
 */
export async function printLabels(
  tenantId: string,
  deliveryIds: readonly string[],
  format: Labels['format'],
): Promise<{ address: string; leftOut: LeftOut }> {
  // The empty tab opens at once, while the browser still counts it as the user's action.
  const tab = format === 'pdf' ? window.open('', '_blank') : null
  try {
    const { data, headers } = await request('post', '/{tenant_id}/deliveries/labels', {
      params: { path: { tenant_id: tenantId } },
      body: {
        delivery_ids: [...deliveryIds],
        ...(format !== 'pdf' && { format }),
        ...(deliveryIds.length > 1 && { skip_unavailable: true }),
      },
    })
    const address = URL.createObjectURL(data)
    if (tab) tab.location.href = address
    if (format === 'zpl') saveFile(address)
    return { address, leftOut: toLeftOut(headers) }
  } catch (error) {
    tab?.close()
    throw error
  }
}

/** The deliveries without a label; `ids` has at most 50 of them. */
export type LeftOut = { ids: readonly string[]; count: number }

function toLeftOut(headers: Headers): LeftOut {
  const ids = headers.get('labels-left-out')?.split(', ') ?? []
  return { ids, count: Number(headers.get('labels-left-out-count') ?? 0) }
}

/** `We left out WC-3 and WC-4 because they have no labels now.`; null if all were printed. */
export function formatLeftOut(
  { ids, count }: LeftOut,
  deliveries: readonly { id: string; reference: string }[],
): string | null {
  if (count === 0) return null
  const names = deliveries.filter(({ id }) => ids.includes(id)).map(({ reference }) => reference)
  const who = names.length === count ? formatList(names) : `${count} deliveries`
  return `We left out ${who} because ${count === 1 ? 'it has no label' : 'they have no labels'} now.`
}

function saveFile(address: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = ZPL_FILE
  link.click()
}
