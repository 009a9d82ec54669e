/** Puts a text on the clipboard, also where the page is served from another machine without encryption. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  if (!isCopied) throw new Error('Failed to copy: expected a clipboard, got none. Select the text.')
}

/** Hands a value to the user as a file. */
export function downloadFile(name: string, value: unknown): void {
  const text = typeof value === 'string' ? value : `${JSON.stringify(value, null, 2)}\n`
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
