import { z } from 'zod'
import { madeUpPlace, type Place } from '../places.ts'

export type Address = {
  text: string
  detailed: {
    street_address_1: string
    street_address_2: string
    city: string
    state: string
    zip_code: string
    country: string
  }
  place: Place
}

const STRUCTURED = z.object({
  street_address: z.array(z.string()).min(1),
  city: z.string().min(1),
  state: z.string().min(1),
  zip_code: z.string().min(1),
  country: z.string().default('AU'),
})

/**
 * Parses an address in the forms that Uber accepts: JSON in a string, or "Street, City, State, Zip". Null:
 * not understood. Coordinates override the location of the text.
 */
export function readAddress(input: string, coordinates: Place | null): Address | null {
  const parts = structured(input) ?? commaSeparated(input)
  if (!parts) return null
  const [street1 = '', ...others] = parts.street_address
  const street2 = others.join(', ')
  const streets = parts.street_address.join(', ')
  const text = `${streets}, ${parts.city}, ${parts.state} ${parts.zip_code}, ${parts.country}`
  const place = coordinates ?? madeUpPlace(text)
  if (!place) return null
  return {
    text,
    detailed: {
      street_address_1: street1,
      street_address_2: street2,
      city: parts.city,
      state: parts.state,
      zip_code: parts.zip_code,
      country: parts.country,
    },
    place,
  }
}

function structured(text: string): z.infer<typeof STRUCTURED> | null {
  try {
    return STRUCTURED.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

function commaSeparated(text: string): z.infer<typeof STRUCTURED> | null {
  const words =
    /^(?<street>.+?),\s*(?<city>[^,]+),\s*(?<state>[A-Za-z]{2,})[,\s]+(?<zip>\w[\w-]*)(?:,\s*(?<country>[A-Za-z]{2}))?$/
  const found = words.exec(text.trim())?.groups
  if (!found) return null
  return STRUCTURED.parse({
    street_address: [found.street],
    city: found.city,
    state: found.state,
    zip_code: found.zip,
    country: found.country ?? 'AU',
  })
}
