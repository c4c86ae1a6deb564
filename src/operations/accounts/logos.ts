import { type Logo, readLogo } from '../../documents/logo/read-logo.ts'
import { UnusableLogo } from '../../documents/logo/unusable-logo.ts'
import { turnsOf } from '../../documents/turns.ts'
import type { Brand } from '../../domain/account/account.ts'
import { entries, textField } from '../../domain/account/validation/loose.ts'
import type { AccountMistake } from '../../domain/account/validation/mistake.ts'

/**
 * A brand's logo is a `data:` URL in the account document, at most 64 KiB. So it is planned, applied, rolled back and
 * exported with the document, and `drover account apply` needs no second file. The document keeps only what the sanitiser
 * returns, and the sanitiser runs again before a logo is served: what a page gets was never a person's own file.
 */
export function toLogoUrl({ mediaType, bytes }: Pick<Logo, 'mediaType' | 'bytes'>): string {
  return `data:${mediaType};base64,${bytes.toString('base64')}`
}

/** A file as a logo, or the sentence that says what is wrong with it. */
export function readLogoFile(file: Buffer): Logo | { wrong: string } {
  try {
    return readLogo(file)
  } catch (error) {
    if (error instanceof UnusableLogo) return { wrong: error.message }
    throw error
  }
}

/** The logo of a brand as it is served; null if it has no usable one. */
export function getBrandLogo(brand: Brand): Logo | null {
  let logo = LOGOS.get(brand)
  if (logo === undefined) {
    logo = brand.logo === null ? null : findLogo(brand.logo)
    LOGOS.set(brand, logo)
  }
  return logo
}

/** A brand lasts as long as its version of the account. */
const LOGOS = new WeakMap<Brand, Logo | null>()

/** The logo of a document as it is served; null if it is unusable. */
function findLogo(url: string): Logo | null {
  const found = readLogoFile(toBytes(url))
  return 'wrong' in found ? null : found
}

/** Logos that are not as the sanitiser leaves them. Reads documents of any shape; other requests have their turn. */
export async function logoMistakes(document: unknown): Promise<AccountMistake[]> {
  const turn = turnsOf()
  const mistakes: AccountMistake[] = []
  for (const { value, path } of entries(document, 'brands')) {
    const url = textField(value, 'logo')
    if (url === undefined || !LOGO_URL.test(url)) continue
    const found = findMistake(url)
    if (found) mistakes.push({ path: [...path, 'logo'], kind: 'invalid_value', ...found })
    await turn()
  }
  return mistakes
}

function findMistake(url: string): Pick<AccountMistake, 'wrong' | 'remedy'> | null {
  const logo = readLogoFile(toBytes(url))
  if ('wrong' in logo) {
    const [wrong = '', ...remedy] = logo.wrong.split(/(?<=\.) /)
    return { wrong: wrong.replace(/\.$/, ''), remedy: remedy.join(' ') }
  }
  if (toLogoUrl(logo) === url) return null
  const parts = logo.removed.length > 0 ? `: ${logo.removed.slice(0, 5).join(', ')}` : ''
  return {
    wrong: `has parts that a logo cannot contain${parts}`,
    remedy: 'upload the file under Settings, Brands, and we’ll remove them',
  }
}

const LOGO_URL = /^data:image\/(?:png|svg\+xml);base64,/

function toBytes(url: string): Buffer {
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
}
