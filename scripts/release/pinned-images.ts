/** An image by its name, the version for people and the digest that runs. */
export type PinnedImage = { name: string; tag: string; digest: string }

type Files = ReadonlyMap<string, string>

/** `registry.example.com/drover:0.1.0@sha256:…`. Throws a sentence that describes the format of an image. */
export function readImage(text: string): PinnedImage {
  const [, name, tag, digest] = /^([^@\s]+):([\w.-]+)@(sha256:[0-9a-f]{64})$/.exec(text) ?? []
  if (!name || !tag || !digest) {
    throw new Error(
      `${text} is not an image with a digest: write name:tag@sha256:… with 64 hexadecimal digits, as a push prints it.`,
    )
  }
  return { name, tag, digest }
}

/**
 * The same files with each of these images pinned, and the images without a digest. An image whose last part
 * is `drover` is the product's own and replaces the example's. Others keep their names.
 */
export function pinImages(
  files: Files,
  images: readonly PinnedImage[],
): { pinned: Files; unpinned: string[] } {
  const own = images.find(({ name }) => /(^|\/)drover$/.test(name))
  const byReference = new Map(images.map((image) => [`${image.name}:${image.tag}`, image]))
  const pinned = new Map(
    [...files].map(([path, text]) => [path, pinOthers(own ? pinOwn(text, own) : text, byReference)]),
  )
  const left = [...pinned.values()].flatMap(unpinnedIn)
  return { pinned, unpinned: [...new Set(left)].sort() }
}

/**
 * Where the example names the product's image: in kustomization.yaml and the chart's values by its parts, in the job of
 * migrations as one.
 */
function pinOwn(text: string, { name, tag, digest }: PinnedImage): string {
  return text
    .replace(/(newName: ).+\n( +)newTag: .+/, `$1${name}\n$2digest: ${digest}`)
    .replace(
      /(image:\n +repository: ).*(\n +tag: ).*(\n +digest: ).*/,
      `$1${name}$2${JSON.stringify(tag)}$3${digest}`,
    )
    .replace(/(image: )registry\.example\.com\/drover:\S+/, `$1${name}:${tag}@${digest}`)
}

const REFERENCE = /^(?<before>\s*(?:image: |FROM ))(?<image>[^\s@]+:[\w.-]+)(?=\s|$)/gm

function pinOthers(text: string, byReference: ReadonlyMap<string, PinnedImage>): string {
  return text.replace(REFERENCE, (whole, before: string, image: string) => {
    const found = byReference.get(image)
    return found ? `${before}${image}@${found.digest}` : whole
  })
}

function unpinnedIn(text: string): string[] {
  const byParts = [...text.matchAll(/newName: (.+)\n +newTag: (.+)/g)].map(
    ([, name, tag]) => `${name}:${tag}`,
  )
  return [...byParts, ...[...text.matchAll(REFERENCE)].map(({ groups }) => groups?.image ?? '')]
}
