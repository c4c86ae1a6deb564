/** Copies a text to the clipboard; false if the browser did not. */
export async function copyText(text: string): Promise<boolean> {
  try {
    // Without HTTPS it is undefined, although its type says otherwise.
    const clipboard: Clipboard | undefined = navigator.clipboard
    if (!clipboard) return false
    await clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
