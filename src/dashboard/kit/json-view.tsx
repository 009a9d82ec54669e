import { Scroll } from './scroll.tsx'

/** The most characters of a value that are shown: a page of a million rows is no reading. */
const most = 40_000

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** A value as JSON, in colours; a text as it is. */
export function JsonView({ value, label }: { value: unknown; label: string }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  const shown = text.slice(0, most)
  return (
    <Scroll label={label} class="json">
      <pre>
        {typeof value === 'string' ? shown : coloured(shown)}
        {text.length > most && `\n… and ${text.length - most} more characters`}
      </pre>
    </Scroll>
  )
}

function coloured(text: string) {
  const pieces = []
  let end = 0
  for (const match of text.matchAll(token)) {
    const [whole, word, colon] = match
    pieces.push(text.slice(end, match.index))
    const kind = colon !== undefined ? 'name' : word !== undefined ? 'text' : 'value'
    pieces.push(<span class={kind}>{whole}</span>)
    end = match.index + whole.length
  }
  pieces.push(text.slice(end))
  return pieces
}
