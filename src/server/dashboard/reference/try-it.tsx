import { Square } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { quoteForShell } from '../../../utils/escape.ts'
import { useDashboard, useWorldData } from '../kit/context.ts'
import { CodeLine } from '../kit/copy.tsx'
import { Button, Input, Select, useFields } from '../kit/fields.tsx'
import { jsonOrText, onSubmit } from '../kit/form.tsx'
import { formatDuration } from '../kit/format.ts'
import { StatusTag } from '../kit/inline.tsx'
import { ErrorMessage } from '../kit/panels.tsx'
import { JsonView } from '../kit/table.tsx'
import { readToken } from '../kit/token.ts'
import { HeaderList } from '../requests/message-section.tsx'
import {
  type ApiDocument,
  type ApiParameter,
  bodyOf,
  type DocumentedOperation,
  defaultOf,
  startingValue,
} from './document.ts'

export interface OperationProps {
  readonly operation: DocumentedOperation
  readonly document: ApiDocument
  readonly isControl: boolean
}

/** A form that sends an operation with a key of the world. Nothing has to be typed for most of them. */
export function TryIt({ operation, document, isControl }: OperationProps) {
  const { parameters = [], requestBody, operationId } = operation
  const { remote, link } = useDashboard()
  const { value: keys = [] } = useWorldData((remote) => remote.keys.list())
  const ids = useFirstIds()
  const body = bodyOf(requestBody?.content)
  const [{ key, text }, field] = useFields({
    key: '',
    text: body
      ? JSON.stringify(body.examples[0]?.[1] ?? startingValue(body.schema, document), null, 2)
      : '',
  })
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const currentValue = ({ name, in: place }: ApiParameter): string =>
    values[name] ?? (place === 'path' ? (ids[idName(name, operation.path)] ?? '') : '')
  const chosen = key === 'none' ? undefined : key || keys[0]?.value
  const bearer = isControl ? readToken(sessionStorage) : chosen
  const request = toRequest(operation, remote.url, currentValue, bearer, body ? text : undefined)
  const { send, stop, ...state } = useSending()
  const keyOptions = [
    ...keys.map(({ label, value }) => [value, label ?? value] as const),
    ['none', 'No key'] as const,
  ]
  return (
    <section class="try-it" aria-label="Try it">
      <h3>Try it</h3>
      <form class="fields" onSubmit={onSubmit(() => send(request))}>
        <div class="side-by-side">
          {!isControl && (
            <Select label="Key" options={keyOptions} {...field('key')} value={chosen ?? 'none'} />
          )}
          {parameters.map((parameter) => (
            <Input
              key={parameter.name}
              label={parameter.name}
              required={parameter.in === 'path'}
              placeholder={defaultOf(parameter.schema, document)}
              value={currentValue(parameter)}
              onChange={(value) => setValues({ ...values, [parameter.name]: value })}
            />
          ))}
        </div>
        {body && <Input label="Body" rows={8} spellcheck={false} {...field('text')} />}
        <CodeLine text={toCurl(request)} name={`the curl command of ${operationId}`} />
        <div class="row">
          {state.isBusy ? (
            <Button label="Stop" icon={Square} onClick={stop} />
          ) : (
            <button type="submit" class="primary">
              Send
            </button>
          )}
          {!isControl && state.response && <a href={link('requests')}>Show it under Requests</a>}
        </div>
      </form>
      <ErrorMessage error={state.error} />
      {state.response && (
        <div role="status" aria-label="Response">
          <p class="facts">
            <StatusTag status={state.response.status} dropped="" />
            <span>{state.response.statusText}</span>
            {!state.isBusy && <span>{formatDuration(state)}</span>}
          </p>
          {state.text !== '' && <JsonView label="Response body" value={jsonOrText(state.text)} />}
          <HeaderList title="Response headers" headers={[...state.response.headers]} />
        </div>
      )}
    </section>
  )
}

interface Sent {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

function toRequest(
  { method, path, parameters = [] }: DocumentedOperation,
  base: string,
  currentValue: (parameter: ApiParameter) => string,
  bearer: string | undefined,
  body: string | undefined,
): Sent {
  const query = new URLSearchParams()
  let target = path
  for (const parameter of parameters) {
    const { name, in: place } = parameter
    const value = currentValue(parameter)
    if (place === 'path') target = target.replace(`{${name}}`, encodeURIComponent(value))
    else if (place === 'query' && value !== '') query.set(name, value)
  }
  const search = query.size === 0 ? '' : `?${query}`
  return {
    url: `${base}${target}${search}`,
    method,
    headers: {
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
  }
}

/** @example toCurl({ url: 'http://localhost/api/projects', method: 'GET', headers: {} }) // 'curl http://localhost/api/projects' */
function toCurl({ url, method, headers, body }: Sent): string {
  return [
    'curl',
    method !== 'GET' && `-X ${method}`,
    quoteForShell(url),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`),
    body !== undefined && `--data-raw ${quoteForShell(body)}`,
  ]
    .filter(Boolean)
    .join(' ')
}

interface Sending {
  readonly isBusy: boolean
  readonly error: Error | null
  readonly response: Response | null
  readonly text: string
  readonly ms: number
}

/** How many characters of an endless response are shown. */
const maxText = 200_000

/** Sends one request at a time. The text of a response is shown as it arrives, since events never end. */
function useSending() {
  const [state, setState] = useState<Sending>({
    isBusy: false,
    error: null,
    response: null,
    text: '',
    ms: 0,
  })
  const running = useRef<AbortController | null>(null)
  const stop = () => running.current?.abort()
  useEffect(() => stop, [])
  const send = async ({ url, ...init }: Sent): Promise<void> => {
    stop()
    const current = new AbortController()
    running.current = current
    const start = performance.now()
    const update = (changes: Partial<Sending>) => {
      if (running.current !== current) return
      setState((before) => ({ ...before, ms: performance.now() - start, ...changes }))
    }
    update({ isBusy: true, error: null, response: null, text: '' })
    try {
      const response = await fetch(url, { ...init, signal: current.signal })
      update({ response })
      const reader = response.body?.getReader()
      const decoder = new TextDecoder()
      for (let text = ''; reader && text.length < maxText; update({ text })) {
        const { done, value } = await reader.read()
        if (done) break
        text += decoder.decode(value, { stream: true })
      }
    } catch (error) {
      if (!current.signal.aborted) {
        const reason = `The request failed: ${(error as Error).message}. The connection was dropped, or there is no server.`
        update({ error: new Error(reason) })
      }
    } finally {
      update({ isBusy: false })
      // The response may go on.
      current.abort()
    }
  }
  return { ...state, send, stop }
}

/** The ids of the first rows of the world, by the name of their parameter. */
function useFirstIds(): Readonly<Record<string, string>> {
  const { value } = useWorldData(async ({ world }) => {
    const lists = ['projects', 'organizations', 'plugins', 'annotations', 'users'] as const
    const pages = await Promise.all(lists.map((list) => world.find(list, { limit: 1 })))
    return Object.fromEntries(
      pages.flatMap(({ rows: [row] }, index) =>
        row ? [[`${lists[index]?.slice(0, -1)}_id`, String(row.id)]] : [],
      ),
    )
  })
  return value ?? {}
}

/** @example idName('id', '/api/projects/{project_id}/annotations/{id}') // 'annotation_id' */
function idName(name: string, path: string): string {
  if (name !== 'id') return name
  const [, list = ''] = /\/(\w+)s\/\{id\}/.exec(path) ?? []
  return `${list}_id`
}
