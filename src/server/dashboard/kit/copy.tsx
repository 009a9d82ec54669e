import { Copy } from 'lucide'
import type { KeyRow } from '../../../world/rows.ts'
import { useAction } from './context.ts'
import { copyText, shellQuote } from './copy-download.ts'
import { Button } from './fields.tsx'

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

/** A command that works as it is, with the key that has the fewest limits. Undefined without keys. */
export function curlLine(
  url: string,
  keys: readonly Pick<KeyRow, 'value' | 'scopes'>[],
): string | undefined {
  const hasFullAccess = ({ scopes }: Pick<KeyRow, 'scopes'>) => scopes?.includes('*') ?? true
  const key = keys.find(hasFullAccess) ?? keys[0]
  return key && `curl -H ${shellQuote(`Authorization: Bearer ${key.value}`)} ${url}/api/projects/`
}
