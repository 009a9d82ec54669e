import { useEffect, useState } from 'preact/hooks'
import type { PolicyInfo } from '../../../policies/settings.ts'
import { useAction, useDashboard } from '../kit/context.ts'
import { EmptyState, ErrorMessage } from '../kit/feedback.tsx'
import { Button, SearchField } from '../kit/fields.tsx'
import { formatCount, matchesWords } from '../kit/format.ts'
import { useLoad } from '../kit/hooks.ts'

/** The policies: each question with its possible values and their evidence. */
export function PoliciesView({ open }: { open: string | undefined }) {
  const { remote } = useDashboard()
  const { value, error, reload } = useLoad(() => remote.policies.list(), [remote])
  const [search, setSearch] = useState('')
  const run = useAction(reload)
  useEffect(() => {
    if (open === undefined || value === undefined) return
    const item = document.getElementById(open)
    item?.scrollIntoView({ block: 'center' })
    item?.querySelector('summary')?.focus()
  }, [open, value === undefined])
  const shown = (value ?? []).filter(({ id, question }) =>
    matchesWords(`${id} ${question}`, search),
  )
  const set = (id: string, setting: string | number) =>
    run(`Set ${id} to ${setting}.`, () => remote.policies.set({ [id]: setting }))
  return (
    <>
      <div class="toolbar">
        <SearchField placeholder="Search policies" value={search} onChange={setSearch} />
        <span class="count" aria-live="polite">
          {formatCount(shown.length, 'policy', 'policies')}
        </span>
      </div>
      {error && <ErrorMessage error={error} onRetry={reload} />}
      {value && shown.length === 0 && <EmptyState title="No policies match the search." />}
      <ul class="plain policy-list">
        {shown.map((policy) => (
          <PolicyItem key={policy.id} policy={policy} isOpen={policy.id === open} onSet={set} />
        ))}
      </ul>
    </>
  )
}

interface PolicyItemProps {
  readonly policy: PolicyInfo
  readonly isOpen: boolean
  readonly onSet: (id: string, setting: string | number) => void
}

function PolicyItem({ policy, isOpen, onSet }: PolicyItemProps) {
  const { id, question, documentation, setting, values, documented, live } = policy
  const evidence = values.find(({ value }) => value === String(setting))?.evidence
  return (
    <li id={id}>
      <details open={isOpen}>
        <summary>
          <span class="question">{question}</span>{' '}
          <span>
            <code>{id}</code> = <code>{setting}</code>
          </span>{' '}
          <span>{evidence && <span class={`tag ${evidence}`}>{evidence}</span>}</span>
        </summary>
        <p class="dim">API documentation: {documentation}</p>
        <fieldset>
          <legend class="visually-hidden">{question}</legend>
          {values.map(({ value, meaning, evidence, source }) =>
            value === 'integer' ? (
              <IntegerSetting
                key={`${value} ${setting}`}
                {...{ id, setting, onSet }}
                text={meaning}
              />
            ) : (
              <label key={value} class="choice">
                <input
                  type="radio"
                  name={id}
                  checked={value === String(setting)}
                  onChange={() => onSet(id, value)}
                />
                <code>{value}</code>
                <span>
                  {meaning} <span class={`tag ${evidence}`}>{evidence}</span>{' '}
                  {evidence === 'documented' && <span class="dim">{source}</span>}
                </span>
              </label>
            ),
          )}
        </fieldset>
        <p class="dim">
          Profile documented: <code>{documented}</code>, profile live: <code>{live}</code>
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
  const [value, setValue] = useState(Number(setting))
  return (
    <div class="row">
      <label class="choice">
        <input
          type="number"
          value={value}
          onInput={({ currentTarget }) => setValue(currentTarget.valueAsNumber)}
        />{' '}
        {text}
      </label>
      <Button row={id} onClick={() => onSet(id, value)}>
        Set
      </Button>
    </div>
  )
}
