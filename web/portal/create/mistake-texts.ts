type Mistake = { field: string; message: string }

/** The form's labels for fields of the request, if they differ from the field's name. */
const CALLED: Readonly<Record<string, string>> = {
  reference: 'Order number',
  ready_for_pickup_at: '“Ready for pickup at”',
  special_instructions: 'Instructions',
  'customer.email': 'Email',
  'address.address': 'Street address',
  'address.address2': 'Unit or level',
  'address.company_name': 'Company',
  'address.city': 'Suburb',
  'address.post_code': 'Postcode',
}

/** A mistake with the form's label of its field: `First name must not be empty.` */
export function namedMistake({ field, message }: Mistake): string {
  return message.startsWith(field)
    ? `${CALLED[field] ?? nameOf(field)}${message.slice(field.length)}`
    : message
}

/** The same below its field, where the label is not needed: `Must not be empty.` */
export function bareMistake({ field, message }: Mistake): string {
  const bare = message.startsWith(field) ? message.slice(field.length).trimStart() : message
  return capital(bare)
}

/** `parcels[0].weight_kg` is the weight of the first parcel. */
function nameOf(field: string): string {
  const [, row] = /^parcels\[(\d+)\]/.exec(field) ?? []
  const last = field.slice(field.lastIndexOf('.') + 1).replace(/_(cm|kg)$/, '')
  const bare = last.replace(/\[\d+\]$/, '').replace(/^(dangerous_goods)_definition$/, '$1')
  const name = capital(bare.replaceAll('_', ' '))
  return row === undefined ? name : `${name} of parcel ${Number(row) + 1}`
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
