import { useEffect, useState } from 'preact/hooks'
import type { PolicyInfo } from '../../../policies/simulator-policies.ts'
import { useAction, useDashboard } from '../kit/context.ts'
import { EmptyState, ErrorMessage } from '../kit/feedback.tsx'
import { useLoad } from '../kit/hooks.ts'
import { SearchField } from '../kit/table.tsx'

/** All that the document leaves open: each question with its answers, and why they are believed. */
export function PoliciesView({ open }: { open: string | undefined }) {
  const { remote } = useDashboard()
  const { value, error, reload } = useLoad(() => remote.policies.list(), [remote])
  const [text, setText] = useState('')
  const act = useAction()
  useEffect(() => {
    if (open === undefined || value === undefined) return
    const found = document.getElementById(open)
    found?.scrollIntoView({ block: 'center' })
    found?.querySelector('summary')?.focus()
  }, [open, value === undefined])
  const shown = (value ?? []).filter((policy) => matchesSearch(policy, text))
  const set = async (id: string, setting: string | number) => {
    const work = () => remote.policies.set({ [id]: setting })
    if (await act(`${id} is ${setting} now.`, work)) reload()
  }
  return (
    <>
      <div class="toolbar">
        <SearchField placeholder="Search in names and questions" value={text} onChange={setText} />
        <span class="count" aria-live="polite">
          {shown.length} policies
        </span>
      </div>
      {error && <ErrorMessage error={error} onRetry={reload} />}
      {value && shown.length === 0 && <EmptyState title="No policy has these words." />}
      <ul class="plain policy-list">
        {shown.map((policy) => (
          <PolicyItem key={policy.id} policy={policy} isOpen={policy.id === open} onSet={set} />
        ))}
      </ul>
    </>
  )
}

function matchesSearch({ id, question }: PolicyInfo, text: string): boolean {
  const line = `${id} ${question}`.toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => line.includes(word))
}

interface PolicyItemProps {
  readonly policy: PolicyInfo
  readonly isOpen: boolean
  readonly onSet: (id: string, setting: string | number) => void
}

/** One question, what it is answered with, and what it could be. */
function PolicyItem({ policy, isOpen, onSet }: PolicyItemProps) {
  const { id, question, line, setting, values, documented, live } = policy
  const evidence = values.find(({ value }) => value === String(setting))?.evidence
  return (
    <li id={id}>
      <details open={isOpen}>
        <summary>
          <span class="question">{question}</span> <code>{id}</code> = <code>{setting}</code>{' '}
          {evidence && <span class={`tag ${evidence}`}>{evidence}</span>}
        </summary>
        <p class="dim">The document: {line}</p>
        <fieldset>
          <legend class="unseen">{question}</legend>
          {values.map(({ value, ...meaning }) =>
            value === 'integer' ? (
              <IntegerSetting
                key={`${value} ${setting}`}
                {...{ id, setting, onSet }}
                text={meaning.says}
              />
            ) : (
              <label key={value} class="choice">
                <input
                  type="radio"
                  name={id}
                  checked={value === String(setting)}
                  onChange={() => onSet(id, value)}
                />
                <span>
                  <code>{value}</code> {meaning.says}{' '}
                  <span class={`tag ${meaning.evidence}`}>{meaning.evidence}</span>{' '}
                  <span class="dim">{meaning.source}</span>
                </span>
              </label>
            ),
          )}
        </fieldset>
        <p class="dim">
          documented: <code>{documented}</code>, live: <code>{live}</code>
        </p>
      </details>
    </li>
  )
}

interface IntegerSettingProps {
  readonly id: string
  readonly setting: string | number
  readonly text: string
  readonly onSet: (id: string, setting: number) => void
}

function IntegerSetting({ id, setting, text, onSet }: IntegerSettingProps) {
  const [number, setNumber] = useState(Number(setting))
  return (
    <div class="row">
      <label class="choice">
        <input
          type="number"
          value={number}
          onInput={({ currentTarget }) => setNumber(currentTarget.valueAsNumber)}
        />{' '}
        {text}
      </label>
      <button type="button" aria-label={`Set ${id}`} onClick={() => onSet(id, number)}>
        Set
      </button>
    </div>
  )
}
