import { Copy } from 'lucide'
import { useAction, useDashboard } from './context.ts'
import { copyText } from './copy-download.ts'
import { Button } from './fields.tsx'
import { useLoad, useStore } from './hooks.ts'

/** @param props.name names the text for screen readers and in the notification; default: the text itself */
export function CopyButton({ text, name = text }: { text: string; name?: string }) {
  const run = useAction()
  return (
    <Button
      class="quiet"
      icon={Copy}
      row={name}
      onClick={() => run(`Copied ${name}.`, () => copyText(text))}
    >
      Copy
    </Button>
  )
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
  const { remote, journal } = useDashboard()
  const { rowsVersion } = useStore(journal)
  return useLoad(() => remote.example(), [remote, rowsVersion]).value?.curl ?? undefined
}
