import { ScrollArea } from './table.tsx'

/** The most characters of a value that are shown: a page of a million rows is no reading. */
const maxCharacters = 40_000

const jsonToken =
  /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** A value as JSON, in colours; a text as it is. */
export function JsonView({ value, label }: { value: unknown; label: string }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  const shown = text.slice(0, maxCharacters)
  return (
    <ScrollArea label={label} class="json">
      <pre>
        {typeof value === 'string' ? shown : highlight(shown)}
        {text.length > maxCharacters && `\n… and ${text.length - maxCharacters} more characters`}
      </pre>
    </ScrollArea>
  )
}

function highlight(text: string) {
  const pieces = []
  let end = 0
  for (const match of text.matchAll(jsonToken)) {
    const [whole, word, colon] = match
    pieces.push(text.slice(end, match.index))
    const kind = colon !== undefined ? 'name' : word !== undefined ? 'text' : 'value'
    pieces.push(<span class={kind}>{whole}</span>)
    end = match.index + whole.length
  }
  pieces.push(text.slice(end))
  return pieces
}
