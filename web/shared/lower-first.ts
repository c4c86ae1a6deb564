/** A heading or label inside a sentence: `Client secret` → `client secret`; `API key` and `PIN` stay. */
export function lowerFirst(text: string): string {
  return text.replace(/^\p{Lu}(?!\p{Lu})/u, (letter) => letter.toLowerCase())
}
