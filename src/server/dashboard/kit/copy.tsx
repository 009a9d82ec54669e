import { Copy } from 'lucide'
import { useWorldData } from './context.ts'
import { useActionButton } from './form.tsx'

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
  download(fileName, `${text}\n`, 'application/json')
}

export function download(fileName: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  URL.revokeObjectURL(url)
}

/** @param props.name names the text for screen readers and in the notification; default: the text itself */
export function CopyButton({ text, name = text }: { text: string; name?: string }) {
  const action = useActionButton()
  const props = { class: 'quiet', icon: Copy, row: name }
  return action('Copy', `Copied ${name}.`, () => copyText(text), props)
}

/** A line of code with a button that copies it. */
export function CodeLine({ text, name }: { text: string; name: string }) {
  return (
    <div class="code-line">
      <code>{text}</code>
      <CopyButton text={text} name={name} />
    </div>
  )
}

/** A command that lists annotations and works as it is. Undefined if no key may, and until it is loaded. */
export function useCurlLine(): string | undefined {
  return useWorldData((remote) => remote.example()).value?.curl ?? undefined
}
