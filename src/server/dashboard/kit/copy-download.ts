/** Copies text to the clipboard. Works on pages without HTTPS too, where `navigator.clipboard` is missing. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  if (!isCopied) throw new Error('The browser blocked access to the clipboard.')
}

export function downloadJson(
  fileName: string,
  value: unknown,
  text: string = JSON.stringify(value, null, 2),
): void {
  const url = URL.createObjectURL(new Blob([`${text}\n`], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  URL.revokeObjectURL(url)
}
