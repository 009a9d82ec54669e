import { useEffect, useState } from 'preact/hooks'
import type { PolicyInfo } from '../../../policies/settings.ts'
import { useAction, useDashboard } from '../kit/context.ts'
import { Button, SearchField, useActionButton } from '../kit/form.tsx'
import { formatCount, matchesWords } from '../kit/format.ts'
import { useLoad } from '../kit/hooks.ts'
import { EmptyState, ErrorMessage } from '../kit/panels.tsx'
import { type Column, ScrollArea, Table } from '../kit/table.tsx'

export function PoliciesView({ open }: { open: string | undefined }) {
  const { policies } = useDashboard().remote
  const { value, error, reload } = useLoad(() => policies.list(), [policies])
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
          <PolicyItem
            key={policy.id}
            policy={policy}
            isOpen={policy.id === open}
            onSet={(setting) =>
              run(`Set ${policy.id} to ${setting}.`, () => policies.set({ [policy.id]: setting }))
            }
          />
        ))}
      </ul>
    </>
  )
}

interface PolicyItemProps {
  readonly policy: PolicyInfo
  readonly isOpen: boolean
  readonly onSet: (setting: string | number) => void
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
              <IntegerSetting key={`${value} ${setting}`} {...{ policy, onSet, meaning }} />
            ) : (
              <label key={value} class="choice">
                <input
                  type="radio"
                  name={id}
                  checked={value === String(setting)}
                  onChange={() => onSet(value)}
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

type IntegerSettingProps = Omit<PolicyItemProps, 'isOpen'> & { readonly meaning: string }

function IntegerSetting({ policy, meaning, onSet }: IntegerSettingProps) {
  const [value, setValue] = useState(Number(policy.setting))
  return (
    <div class="row">
      <label class="choice">
        <input
          type="number"
          value={value}
          onInput={({ currentTarget }) => setValue(currentTarget.valueAsNumber)}
        />{' '}
        {meaning}
      </label>
      <Button row={policy.id} onClick={() => onSet(value)}>
        Set
      </Button>
    </div>
  )
}

export function ProfilesView() {
  const { remote, link } = useDashboard()
  const { value = [], error, reload } = useLoad(() => remote.policies.list(), [remote])
  const action = useActionButton(reload)
  const different = value.filter(
    ({ documented, live, setting }) => documented !== live || setting !== documented,
  )
  const applyButton = (profile: 'documented' | 'live') => {
    const settings = Object.fromEntries(value.map((policy) => [policy.id, policy[profile]]))
    const apply = () => remote.policies.set(settings)
    return action(`Apply profile ${profile}`, `Profile ${profile} applied.`, apply)
  }
  const columns: readonly Column<PolicyInfo>[] = [
    [
      'content',
      'Policy',
      ({ id, question }) => (
        <>
          <a href={link('controls', 'policies', id)}>{id}</a>
          <p class="dim">{question}</p>
        </>
      ),
    ],
    ['value', 'documented', ({ documented, setting }) => mark(documented, documented === setting)],
    ['value', 'live', ({ live, setting }) => mark(live, live === setting)],
    [
      'value',
      'current',
      ({ documented, live, setting }) => (
        <span class={setting === documented || setting === live ? '' : 'bad'}>{setting}</span>
      ),
    ],
  ]
  return (
    <>
      <div class="toolbar">
        <span class="count grow">
          {formatCount(different.length, 'policy differs', 'policies differ')} between the profiles
          or {different.length === 1 ? 'was' : 'were'} changed
        </span>
        {applyButton('documented')}
        {applyButton('live')}
      </div>
      {error && <ErrorMessage error={error} onRetry={reload} />}
      <ScrollArea label="Profile differences">
        <Table columns={columns} rows={different} rowKey={({ id }) => id} />
      </ScrollArea>
    </>
  )
}

function mark(value: string | number, isCurrent: boolean) {
  return <span class={isCurrent ? 'current' : ''}>{value}</span>
}
