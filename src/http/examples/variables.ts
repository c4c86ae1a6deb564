/** A variable that examples use as `$NAME`. */
export type Variable = {
  name: string
  means: string
  /** The shell command that sets it; it may use the functions and the variables above it. */
  set: string
  /** Its sample value in the OpenAPI document. */
  sample: string
}

/**
 * Shell functions that the lines below use. They split JSON at commas and braces, because `jq` is not installed
 * everywhere.
 */
const FUNCTIONS = `field() { tr ',{' '\\n\\n' | sed -n "s/^\\"$1\\":\\"\\([^\\"]*\\)\\".*/\\1/p" | head -n 1; }
call() { curl -sS -X "$1" "$BASE$2" -H "Authorization: Bearer $TOKEN" \${3:+-H "Content-Type: application/json" -d "$3"}; }
post() { call POST "/demo/$1" "$2" | field id; }
to_carlton='"address":{"address":"12 Drummond Street","city":"Carlton","state":"VIC","post_code":"3053","country":"AU"},
  "customer":{"first_name":"Ada","last_name":"Nguyen","phone":"0491 570 156","email":"ada@example.com"},
  "line_items":[{"code":"KETTLE-1L","name":"Kettle, 1 litre","price_cents":4995,"quantity":1}]'
parcel='"reference":"P1","type":"carton","length_cm":30,"width_cm":20,"height_cm":10,"weight_kg":2.5,"quantity":1'
delivery() { post deliveries '{"reference":"'"$RUN-$1"'","ready_for_pickup_at":"'"$READY"'",'"$to_carlton"','"$2"'}'; }
link() { call POST /demo/links '{"store_reference":"melbourne-cbd","reference":"'"$RUN-$1"'",'"$to_carlton"',"parcels":[{'"$parcel"'}]}'; }
code_for() { until call GET "/demo/messages?kind=sms&limit=200" | tr '{' '\\n' | grep -F "\\"to\\":\\"$1\\"" |
  sed -n 's/.*"text":"\\([0-9]\\{6\\}\\) is your.*/\\1/p' | head -n 1 | grep .; do sleep 1; done; }`

const CBD = `"store_reference":"melbourne-cbd","parcels":[{'"$parcel"'}]`
const OWN = `"store_reference":"fitzroy","parcels":[{'"$parcel"'}],"use_staff_couriers":true,"staff_courier":{"phone":"+61491570156","driver_name":"Sam Okafor"}`
const AS_DRIVER = 'TOKEN=$DRIVER_TOKEN'

/** A complete JPEG of one grey pixel. */
const PIXEL =
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxD/2Q=='

/** In the order in which they are set, after `BASE`. */
export const VARIABLES: readonly Variable[] = [
  {
    name: 'TOKEN',
    means: 'A token of the demo’s API client.',
    set: `TOKEN=$(curl -sS "$BASE/demo/auth/token" -d grant_type=client_credentials \\
  -d client_id=demo-client -d client_secret=demo-secret | field access_token)`,
    sample: 'drt_…',
  },
  {
    name: 'OPERATOR_TOKEN',
    means: 'The operator token of the demo.',
    set: 'OPERATOR_TOKEN=demo-operator',
    sample: 'demo-operator',
  },
  {
    name: 'RUN',
    means: 'A number that makes references unique in each run.',
    set: 'RUN=$(date +%s)',
    sample: '1001',
  },
  {
    name: 'READY',
    means: 'When the parcels are ready: the day after tomorrow.',
    set: `READY=$(date -u -d "@$((RUN + 172800))" +%Y-%m-%dT%H:%M:%SZ 2>/dev/null ||
  date -u -r "$((RUN + 172800))" +%Y-%m-%dT%H:%M:%SZ)`,
    sample: '2026-11-24T14:00:00+11:00',
  },
  {
    name: 'SESSION',
    means: 'The cookie of a logged-in person.',
    set: `SESSION=$(curl -sS -i "$BASE/session" -H "Content-Type: application/json" \\
  -d '{"email":"admin@wattle.example","password":"demo-admin-1"}' | grep -o '__Host-drover-session=[^;]*')`,
    sample: '__Host-drover-session=…',
  },
  {
    name: 'SESSION_ID',
    means: 'Another session of the same person.',
    set: `curl -sS "$BASE/session" -H "Content-Type: application/json" \\
  -d '{"email":"admin@wattle.example","password":"demo-admin-1"}' > /dev/null
SESSION_ID=$(curl -sS "$BASE/session/sessions" -H "Cookie: $SESSION" | tr '}' '\\n' | grep -F '"current":false' |
  head -n 1 | field id)`,
    sample: 'ses_01kax3v8y2m4s6t8w0z2b4d6f8',
  },
  {
    name: 'INVITATION',
    means: 'The part of an invitation’s address after the #.',
    set: `INVITATION=$(call POST /demo/users '{"email":"'"$RUN"'-new@example.com","role":"merchant_admin"}' |
  field invitation_url | sed 's/.*#//')`,
    sample: 'demo.KBy0…',
  },
  {
    name: 'INVITED_USER_ID',
    means: 'A user who has not accepted the invitation yet.',
    set: `INVITED_USER_ID=$(post users '{"email":"'"$RUN"'-invited@example.com","role":"merchant_admin"}')`,
    sample: 'usr_01kax3v8y2m4s6t8w0z2b4d6f8',
  },
  {
    name: 'USER_ID',
    means: 'A user who can log in.',
    set: `USER_ID=$(call GET /demo/users | tr '}' '\\n' | grep -F clerk@wattle.example | field id)`,
    sample: 'usr_01kax3v8y2m4s6t8w0z2b4d6f9',
  },
  {
    name: 'ASSISTANT_ID',
    means: 'An assistant that people may connect. The examples change it and remove it.',
    set: `ASSISTANT_ID=$(post assistants '{"name":"Claude","redirect_urls":["https://assistant.example.com/callback"]}')`,
    sample: 'ast_01kax3v8y2m4s6t8w0z2b4d6f8',
  },
  {
    name: 'DELIVERY_ID',
    means: 'A requested delivery.',
    set: `DELIVERY_ID=$(delivery requested '${CBD}')`,
    sample: 'dlv_01kax3v8y2m4s6t8w0z2b4d6f8',
  },
  {
    name: 'BOOKED_ID',
    means: 'A delivery that a carrier has booked.',
    set: `BOOKED_ID=$(delivery booked '"book_delivery_now":true,${CBD}')`,
    sample: 'dlv_01kax3v8y2m4s6t8w0z2b4d6f9',
  },
  {
    name: 'REASSIGNED_ID',
    means: 'A booked delivery, to reassign to another carrier.',
    set: `REASSIGNED_ID=$(delivery reassigned '"book_delivery_now":true,${CBD}')`,
    sample: 'dlv_01kax3v8y2m4s6t8w0z2b4d6fa',
  },
  {
    name: 'DANGEROUS_ID',
    means: 'A booked delivery with dangerous goods.',
    set: `DANGEROUS_ID=$(delivery dangerous '"book_delivery_now":true,"store_reference":"melbourne-cbd","parcels":[{'"$parcel"',
  "contains_dangerous_goods":true,"dangerous_goods":{"dangerous_goods_definition":"lithium_batteries_equipment"}}]')`,
    sample: 'dlv_01kax3v8y2m4s6t8w0z2b4d6fb',
  },
  {
    name: 'ERASABLE_ID',
    means: 'A finished delivery, so that its customer can be erased.',
    set: `ERASABLE_ID=$(delivery erasable '${CBD}')
call PATCH "/demo/deliveries/$ERASABLE_ID/request-cancel" > /dev/null`,
    sample: 'dlv_01kax3v8y2m4s6t8w0z2b4d6fc',
  },
  {
    name: 'ALLOCATION_ID',
    means: 'A store allocation that runs in the background.',
    set: `ALLOCATION_ID=$(call POST /demo/deliveries/quote/allocation '{"use_async":true,"store_references":["melbourne-cbd","fitzroy"],
  "recommend_store_count":1,"address":{"latitude":-37.8183,"longitude":144.9671}}' | field job_id)`,
    sample: 'job_01kax3v8y2m4s6t8w0z2b4d6f8',
  },
  {
    name: 'MANIFEST_ID',
    means: 'A draft manifest with one delivery.',
    set: `delivery drafted '"book_delivery_now":true,"delivery_type":"standard","store_reference":"fitzroy","parcels":[{'"$parcel"'}]' > /dev/null
MANIFEST_ID=$(post store-manifests '{"store_reference":"fitzroy","create_manifest_now":false,"generate_order_summary":true}')`,
    sample: 'man_01kax3v8y2m4s6t8w0z2b4d6f8',
  },
  {
    name: 'COURIER_ID',
    means: 'A staff courier, to change and remove.',
    set: `COURIER_ID=$(post staff-couriers '{"store_reference":"sydney-cbd","phone":"+61491570159","driver_name":"Kim '"$RUN"'"}')`,
    sample: 'cou_01kax3v8y2m4s6t8w0z2b4d6f8',
  },
  {
    name: 'ASSIGNED_ID',
    means: 'A requested delivery, to assign to a staff courier.',
    set: `ASSIGNED_ID=$(delivery assigned '"store_reference":"fitzroy","parcels":[{'"$parcel"'}]')`,
    sample: 'dlv_01kax3v8y2m4s6t8w0z2b4d6fd',
  },
  {
    name: 'DRIVER_CODE',
    means: 'A login code sent to Mia, a staff courier. It works once, for 5 minutes.',
    set: `curl -sS "$BASE/driver/login" -H "Content-Type: application/json" -d '{"phone":"+61491570157"}' > /dev/null
DRIVER_CODE=$(code_for +61491570157)`,
    sample: '123456',
  },
  {
    name: 'DRIVER_TOKEN',
    means: 'The session of Sam, a second staff courier.',
    set: `curl -sS "$BASE/driver/login" -H "Content-Type: application/json" -d '{"phone":"+61491570156"}' > /dev/null
DRIVER_TOKEN=$(curl -sS "$BASE/driver/verify" -H "Content-Type: application/json" \\
  -d '{"phone":"+61491570156","code":"'"$(code_for +61491570156)"'"}' | field token)`,
    sample: 'demo.…',
  },
  {
    name: 'JOB_ID',
    means: 'A job that is offered to Sam: the id of a delivery by staff courier.',
    set: `JOB_ID=$(delivery job '${OWN}')`,
    sample: 'dlv_01kax3v8y2m4s6t8w0z2b4d6fe',
  },
  {
    name: 'REFUSED_JOB_ID',
    means: 'A second job that is offered to Sam, to refuse.',
    set: `REFUSED_JOB_ID=$(delivery refused '${OWN}')`,
    sample: 'dlv_01kax3v8y2m4s6t8w0z2b4d6ff',
  },
  {
    name: 'FAILED_JOB_ID',
    means: 'A job that Sam has collected and cannot deliver.',
    set: `FAILED_JOB_ID=$(delivery failed '${OWN}')
(${AS_DRIVER}; call POST "/driver/jobs/$FAILED_JOB_ID/accept"; call POST "/driver/jobs/$FAILED_JOB_ID/collect") > /dev/null`,
    sample: 'dlv_01kax3v8y2m4s6t8w0z2b4d6fg',
  },
  { name: 'PHOTO', means: 'A JPEG as base64: one grey pixel.', set: `PHOTO=${PIXEL}`, sample: PIXEL },
  {
    name: 'PROVED_ID',
    means: 'A delivery that Sam has made, with a photo.',
    set: `PROVED_ID=$(delivery proved '${OWN}')
(${AS_DRIVER}; call POST "/driver/jobs/$PROVED_ID/accept"; call POST "/driver/jobs/$PROVED_ID/deliver" \\
  '{"proof":{"id":"proved-'"$RUN"'","kind":"photo","place":"at_door","image":"'"$PHOTO"'"}}') > /dev/null`,
    sample: 'dlv_01kax3v8y2m4s6t8w0z2b4d6fh',
  },
  {
    name: 'TRACKING_TOKEN',
    means: 'The last part of its `tracking_url`.',
    set: `TRACKING_TOKEN=$(call GET "/demo/deliveries/$PROVED_ID" | field tracking_url | sed 's|.*/||')`,
    sample: 'KpdRbPBOfTwFB6TGwL_Ya3Z7L6Ud2FfzdTHlnb-1P6GGJuBf',
  },
  {
    name: 'ENDPOINT_ID',
    means: 'A webhook endpoint.',
    set: `ENDPOINT_ID=$(post webhook-endpoints '{"url":"https://hooks.shop.example/'"$RUN"'"}')`,
    sample: 'whk_01kax3v8y2m4s6t8w0z2b4d6f8',
  },
  {
    name: 'OLD_ENDPOINT_ID',
    means: 'A second webhook endpoint, to delete.',
    set: `OLD_ENDPOINT_ID=$(post webhook-endpoints '{"url":"https://hooks.shop.example/'"$RUN"'-old"}')`,
    sample: 'whk_01kax3v8y2m4s6t8w0z2b4d6f9',
  },
  {
    name: 'LINK_ID',
    means: 'A booking link.',
    set: 'LINK_ID=$(link linked | field id)',
    sample: 'lnk_01kax3v8y2m4s6t8w0z2b4d6f8',
  },
  {
    name: 'REVOKED_LINK_ID',
    means: 'A second booking link, to revoke.',
    set: 'REVOKED_LINK_ID=$(link revoked | field id)',
    sample: 'lnk_01kax3v8y2m4s6t8w0z2b4d6f9',
  },
  {
    name: 'LINK_TOKEN',
    means: 'The last part of the address of a third booking link.',
    set: `LINK_TOKEN=$(link booked-by-link | field link | sed 's|.*/||')`,
    sample: 'demo.u5H3…',
  },
  {
    name: 'LINK_SESSION',
    means: 'The session that `POST /l/{token}/verify` returns. It lasts half an hour.',
    set: `LINK_SESSION=$(call POST "/l/$LINK_TOKEN/verify" '{"reference":"'"$RUN"'-booked-by-link"}' | field session)`,
    sample: 'lks_…',
  },
  {
    name: 'ACCOUNT_FILE',
    means: 'A file with the current account document.',
    set: `ACCOUNT_FILE=account.json
curl -sS "$BASE/admin/accounts/demo" -H "Authorization: Bearer $OPERATOR_TOKEN" -o $ACCOUNT_FILE`,
    sample: 'account.json',
  },
  {
    name: 'CLIENT_ID',
    means: 'An API client, to take over or revoke.',
    set: `CLIENT_ID=$(TOKEN=$OPERATOR_TOKEN; call POST /admin/accounts/demo/clients \\
  '{"name":"Till '"$RUN"'","scopes":["quotes"]}' | field client_id)`,
    sample: 'cli_01kax3v8y2m4s6t8w0z2b4d6f8',
  },
]

const SAMPLES = new Map(VARIABLES.map(({ name, sample }) => [name, sample]))
export const VARIABLE = /\$([A-Z][A-Z_]*)/g

/** The names of the variables in an example, each once. */
export function listVariables(example: unknown): string[] {
  return [...new Set([...JSON.stringify(example).matchAll(VARIABLE)].map(([, name = '']) => name))]
}

/** The shell lines that set the variables; those in `exported` also for programs that the shell starts. */
export function toShellSetUp(publicUrl: string, exported: readonly string[]): string {
  const names = VARIABLES.filter(({ name }) => exported.includes(name)).map(({ name }) => name)
  return [
    `BASE=${publicUrl}`,
    FUNCTIONS,
    ...VARIABLES.map(({ set }) => set),
    `export ${names.join(' ')}`,
  ].join('\n')
}

/** An example with every variable replaced by its sample value. */
export function sampled(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.replace(VARIABLE, (_, name: string) => {
      const sample = SAMPLES.get(name)
      if (sample === undefined) throw new Error(`An example names $${name}, which no line sets.`)
      return sample
    })
  }
  if (Array.isArray(value)) return value.map(sampled)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, sampled(inner)]))
}
