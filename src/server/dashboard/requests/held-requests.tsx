import { CirclePause } from 'lucide'
import { useRef } from 'preact/hooks'
import type {
  HeldRequestInfo,
  RequestChanges,
} from '../../../sandbox/breakpoints/breakpoint-request.ts'
import { useAction, useBreakpoints, useDashboard } from '../kit/context.ts'
import { Button, Input, Select, useFields } from '../kit/fields.tsx'
import { Form, jsonOrText, parseJson } from '../kit/form.tsx'
import { formatCount, formatPath } from '../kit/format.ts'
import { Icon, MethodTag } from '../kit/inline.tsx'
import { DialogButton } from '../kit/panels.tsx'
import { useEverySecond } from '../kit/store.ts'
import { MessageSection } from './message-section.tsx'

/** The requests that breakpoints hold, each with its remaining time and the ways to end it. */
export function HeldRequests() {
  const { held, receivedAt } = useBreakpoints()
  const heading = useRef<HTMLHeadingElement>(null)
  useEverySecond(held.length > 0)
  const passed = performance.now() - receivedAt
  // The button that ended a request is gone.
  const onEnd = () => heading.current?.focus()
  return (
    <section class="held-requests" aria-label="Held requests">
      <h2 ref={heading} tabIndex={-1}>
        <Icon icon={CirclePause} /> Held requests
      </h2>
      <p class="dim" role="status">
        {held.length === 0 ? 'No request is held.' : describeCount(held.length)}
      </p>
      <ul class="plain items">
        {held.map((request) => (
          <HeldRequest
            key={request.id}
            request={request}
            seconds={Math.max(0, Math.ceil((request.remaining_ms - passed) / 1_000))}
            onEnd={onEnd}
          />
        ))}
      </ul>
    </section>
  )
}

function describeCount(count: number): string {
  return `${formatCount(count, 'request')} ${count === 1 ? 'waits' : 'wait'} for you.`
}

interface HeldProps {
  readonly request: HeldRequestInfo
  readonly onEnd: () => void
}

function HeldRequest({ request, seconds, onEnd }: HeldProps & { readonly seconds: number }) {
  const { id, method, operation, key } = request
  const { breakpoints } = useDashboard().remote
  const run = useAction(onEnd)
  const row = `request ${id}`
  const end = (label: string, message: string, work: () => Promise<void>) => (
    <Button label={label} row={row} onClick={() => run(() => work().then(() => message))} />
  )
  return (
    <li>
      <p class="request-line">
        <MethodTag method={method} /> <code>{formatPath(request)}</code>
      </p>
      <p class="facts">
        <span>Request {id}</span>
        <span>{operation ?? 'no matching operation'}</span>
        <span>{key === null ? 'no key' : (key.label ?? key.value)}</span>
        <span>continues in {seconds} s</span>
      </p>
      <details>
        <summary>Headers and body</summary>
        <MessageSection title="Request" message={request.request} />
      </details>
      <div class="row">
        {end('Continue', `Request ${id} continued.`, () => breakpoints.continue(id))}
        <DialogButton label="Edit" row={row} title={`Edit request ${id}`}>
          {(close) => <EditForm request={request} onEnd={() => [close(), onEnd()]} />}
        </DialogButton>
        <DialogButton label="Answer" row={row} title={`Answer request ${id}`}>
          {(close) => <AnswerForm request={request} onEnd={() => [close(), onEnd()]} />}
        </DialogButton>
        {end('Drop', `Request ${id} dropped.`, () => breakpoints.drop(id))}
      </div>
    </li>
  )
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

function EditForm({ request, onEnd }: HeldProps) {
  const { id, method, request: message } = request
  const { breakpoints } = useDashboard().remote
  const original = {
    method,
    path: formatPath(request),
    headers: '',
    body: bodyTextOf(message.body),
  }
  const [draft, field] = useFields(original)
  const save = async () => {
    await breakpoints.continue(id, toChanges(draft, original))
    return `Request ${id} continued.`
  }
  return (
    <Form save={save} onSuccess={onEnd} submitLabel="Continue">
      <Select label="Method" options={methods} {...(field('method') as MethodField)} />
      <Input label="Path" spellcheck={false} {...field('path')} />
      <Input
        label="Headers to set, as JSON; null removes one"
        placeholder={'{"x-request-id": "1"}'}
        rows={2}
        spellcheck={false}
        {...field('headers')}
      />
      <Input label="Body" rows={8} spellcheck={false} {...field('body')} />
      <p class="dim">
        Keys are masked above. A path or a body that you edit is sent as you see it.
      </p>
    </Form>
  )
}

interface MethodField {
  readonly value: (typeof methods)[number]
  readonly onChange: (value: string) => void
}

type Draft = Readonly<Record<'method' | 'path' | 'headers' | 'body', string>>

/** The parts that differ. @throws Error for headers that are not JSON */
function toChanges({ method, path, headers, body }: Draft, original: Draft): RequestChanges {
  return {
    ...(method !== original.method && { method: method as (typeof methods)[number] }),
    ...(path !== original.path && { path }),
    ...(headers.trim() !== '' && { headers: parseJson(headers) as Record<string, string | null> }),
    ...(body !== original.body && { body: jsonOrText(body) }),
  }
}

function AnswerForm({ request: { id }, onEnd }: HeldProps) {
  const { breakpoints } = useDashboard().remote
  const [{ status, headers, body }, field] = useFields({ status: '503', headers: '', body: '' })
  const save = async () => {
    await breakpoints.fulfill(id, {
      status: Number(status),
      ...(headers.trim() !== '' && { headers: parseJson(headers) as Record<string, string> }),
      ...(body !== '' && { body: jsonOrText(body) }),
    })
    return `Request ${id} answered.`
  }
  return (
    <Form save={save} onSuccess={onEnd} submitLabel="Answer">
      <Input label="Status" type="number" min={200} max={599} {...field('status')} />
      <Input
        label="Headers, as JSON"
        placeholder={'{"retry-after": "5"}'}
        rows={2}
        spellcheck={false}
        {...field('headers')}
      />
      <Input
        label="Body: JSON, or any text"
        placeholder={'{"detail": "Try again later."}'}
        rows={8}
        spellcheck={false}
        {...field('body')}
      />
    </Form>
  )
}

function bodyTextOf(body: unknown): string {
  if (body === null) return ''
  return typeof body === 'string' ? body : JSON.stringify(body, null, 2)
}
