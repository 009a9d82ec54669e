import { ScrollArea } from './table.tsx'

/** Longer values are truncated, so that a list of a million rows does not freeze the page. */
const maxCharacters = 40_000

const jsonToken =
  /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Shows a value as highlighted JSON, and a string as plain text. */
export function JsonView({ value, label }: { value: unknown; label: string }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  const visible = text.slice(0, maxCharacters)
  const hidden = text.length - visible.length
  return (
    <ScrollArea label={label} class="json">
      <pre>
        {typeof value === 'string' ? visible : highlight(visible)}
        {hidden > 0 && `\n… ${hidden.toLocaleString('en')} more characters not shown`}
      </pre>
    </ScrollArea>
  )
}

function highlight(text: string) {
  const nodes = []
  let end = 0
  for (const match of text.matchAll(jsonToken)) {
    const [token, string, colon] = match
    nodes.push(text.slice(end, match.index))
    const kind = colon !== undefined ? 'name' : string !== undefined ? 'text' : 'value'
    nodes.push(<span class={kind}>{token}</span>)
    end = match.index + token.length
  }
  nodes.push(text.slice(end))
  return nodes
}
