import type { Store } from '../../shared/api.generated.ts'

/** In place of the store, while an account has none yet: only pages that need no store show it. */
export const NO_STORE: Store = {
  id: '',
  reference: '',
  name: 'No store yet',
  account_mode: 'live',
  brand_id: '',
  brand_reference: '',
  address: { address: '', city: '', state: 'VIC', post_code: '', country: 'AU' },
  lat: 0,
  lng: 0,
  time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  modes: [],
  buffer_minutes: 0,
  processing_minutes: 0,
  hours: {},
  labels: { format: 'pdf' },
  today: { now: '', date: '', trading: [], pickup: [], open_now: false },
  services: [],
  next_closures: [],
  next_openings: [],
}
