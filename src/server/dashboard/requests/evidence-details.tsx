import { useState } from 'preact/hooks'
import type { Reason } from '../../../analysis/reasons/evidence.ts'
import type {
  ResponseReasons,
  SuggestedRequest,
} from '../../../analysis/reasons/response-reasons.ts'
import { useDashboard } from '../kit/context.ts'
import { useLoad } from '../kit/hooks.ts'
import { ErrorMessage } from '../kit/panels.tsx'
import { JsonView } from '../kit/table.tsx'

/** The rule and the evidence of each part of a response, and a request that succeeds. Loaded when it is opened. */
export function EvidenceDetails({ id }: { id: number }) {
  const { remote } = useDashboard()
  const [isOpen, setIsOpen] = useState(false)
  const { value, error } = useLoad(
    async () => (isOpen ? remote.explain(id) : undefined),
    [remote, id, isOpen],
  )
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>Evidence and sources</summary>
      {error && <ErrorMessage error={error} />}
      {value && <Evidence reasons={value} />}
    </details>
  )
}

function Evidence({ reasons }: { reasons: ResponseReasons }) {
  const { decided_by, fields, headers, would_succeed } = reasons
  const parts = Object.entries({ ...fields, ...headers })
  return (
    <>
      <RuleText reason={decided_by} />
      {would_succeed && <WorkingRequest request={would_succeed} />}
      <ul class="plain policies">
        {parts.map(([name, { id, evidence, source }]) => (
          <li key={name} title={source}>
            <code>{name}</code> <span class={`tag ${evidence}`}>{evidence}</span> {id}
          </li>
        ))}
      </ul>
    </>
  )
}

function RuleText({ reason }: { reason: Reason }) {
  const { sentence, evidence, source, documentation } = reason
  return (
    <>
      <p>
        {sentence} <span class={`tag ${evidence}`}>{evidence}</span>{' '}
        <span class="dim">{source}</span>
      </p>
      {documentation
        .filter((text) => text !== sentence)
        .map((text) => (
          <p key={text} class="hint">
            Documentation: {text}
          </p>
        ))}
    </>
  )
}

function WorkingRequest({ request }: { request: SuggestedRequest }) {
  const { method, path, key, body } = request
  return (
    <>
      <p>
        This request succeeds: <code>{`${method} ${path}`}</code>
        {key && ` with the key ${key.label ?? key.value}`}
      </p>
      {body !== null && <JsonView value={body} label="Body of the request that succeeds" />}
    </>
  )
}
