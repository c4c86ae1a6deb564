import { useNavigate } from '@tanstack/react-router'
import { api } from '../../shared/api.ts'
import { readScannedCode } from '../../shared/scanned-code.ts'
import { usePortal } from '../portal.ts'

/**
 * Opens the delivery whose number matches exactly, scanned or typed, in any store; otherwise lists partial matches.
 */
export function useFind(): (text: string) => Promise<void> {
  const { tenantId } = usePortal()
  const navigate = useNavigate()
  return async (text) => {
    const code = readScannedCode(text)
    if (code === '') return
    const open = (deliveryId: string) => navigate({ to: '/deliveries/$deliveryId', params: { deliveryId } })
    if (/^dlv_[0-9a-z]{26}$/.test(code)) return open(code)
    const params = { path: { tenant_id: tenantId }, query: { q: code, limit: 10 } }
    const { data } = await api.GET('/{tenant_id}/deliveries', { params }).catch(() => ({
      data: [],
    }))
    const named = data.filter(({ reference, consignment_number, parcels }) =>
      [reference, consignment_number, ...parcels.flatMap(({ article_ids = [] }) => article_ids)].some(
        (one) => one?.toLowerCase() === code.toLowerCase(),
      ),
    )
    const [one] = named
    if (one && named.length === 1) return open(one.id)
    await navigate({ to: '/deliveries', search: { q: code } })
  }
}
