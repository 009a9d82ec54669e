import { Undo2 } from 'lucide'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { PolicyInfo } from '../../../policies/access.ts'
import type { PolicyId } from '../../../policies/policies.ts'
import type { Profile } from '../../../policies/settings.ts'
import { settingsOf, useAction, useDashboard, useLiveState, useViewParams } from '../kit/context.ts'
import { Button, SearchField, Select } from '../kit/fields.tsx'
import { useActionButton } from '../kit/form.tsx'
import { formatCount, matchesWords } from '../kit/format.ts'
import { EvidenceTag } from '../kit/inline.tsx'
import { EmptyState, ErrorMessage } from '../kit/panels.tsx'

const showOptions = [
  ['', 'All policies'],
  ['changed', 'Changed'],
  ['profiles', 'Different in the profiles'],
] as const satisfies readonly (readonly [string, string])[]

/** @param props.open the id of the policy to open */
export function PoliciesView({ open }: { open: string | undefined }) {
  const { remote } = useDashboard()
  const { policies, profile, error, reload } = useLiveState()
  const { params, field } = useViewParams({ search: '', show: '' })
  const run = useAction()
  const list = useRef<HTMLUListElement>(null)
  const isLoaded = policies.length > 0
  useLayoutEffect(() => {
    const item = [...(list.current?.children ?? [])].find(({ id }) => id === open)
    item?.scrollIntoView({ block: 'center' })
    item?.querySelector('summary')?.focus()
  }, [open, isLoaded])
  const set = (id: PolicyId, setting: string | number) =>
    remote.policies.set({ [id]: setting }).then(() => `Set ${id} to ${setting}.`)
  const shown = policies.filter(
    (policy) =>
      matchesWords(`${policy.id} ${policy.question}`, params.search) &&
      (params.show !== 'changed' || policy.setting !== policy[profile]) &&
      (params.show !== 'profiles' || policy.documented !== policy.live),
  )
  return (
    <>
      <div class="toolbar">
        <SearchField placeholder="Search policies" {...field('search')} />
        <Select label="Show" hideLabel options={showOptions} {...field('show')} />
        <span class="count" aria-live="polite">
          {formatCount(shown.length, 'policy', 'policies')}
        </span>
        <ProfileButtons policies={policies} />
      </div>
      <ErrorMessage error={error} reload={reload} />
      {isLoaded && shown.length === 0 && (
        <EmptyState
          title={
            params.show === 'changed' ? 'No policies are changed.' : 'No policies match the search.'
          }
        >
          All policies have the values of a profile until you change one.
        </EmptyState>
      )}
      {shown.length > 0 && (
        <div class="policy-head" aria-hidden="true">
          <span>Policy</span>
          <span>Setting</span>
          <span>In profile documented</span>
          <span>In profile live</span>
          <span>Evidence of the setting</span>
        </div>
      )}
      <ul ref={list} class="plain policy-list">
        {shown.map((policy) => (
          <PolicyItem
            key={policy.id}
            policy={policy}
            profile={profile}
            isOpen={policy.id === open}
            onSet={(setting) => run(() => set(policy.id, setting))}
          />
        ))}
      </ul>
    </>
  )
}

function ProfileButtons({ policies }: { policies: readonly PolicyInfo[] }) {
  const { remote } = useDashboard()
  const action = useActionButton()
  const applyButton = (profile: Profile) => {
    const apply = () => remote.policies.set(settingsOf(profile, policies))
    const disabled = policies.every((policy) => policy.setting === policy[profile])
    return action(`Apply profile ${profile}`, `Profile ${profile} applied.`, apply, { disabled })
  }
  return (
    <div class="actions">
      {applyButton('documented')}
      {applyButton('live')}
    </div>
  )
}

interface PolicyItemProps {
  readonly policy: PolicyInfo
  readonly profile: Profile
  readonly isOpen: boolean
  readonly onSet: (setting: string | number) => void
}

function PolicyItem({ policy, profile, isOpen, onSet }: PolicyItemProps) {
  const { id, question, documentation, setting, values, documented, live } = policy
  const { evidence } =
    values.find(({ value }) => [String(setting), 'integer'].includes(value)) ?? {}
  const isChanged = setting !== policy[profile]
  return (
    <li id={id} class={isChanged ? 'changed' : ''}>
      <details open={isOpen}>
        <summary>
          <span>
            <span class="question">{question}</span>
            <code class="dim">{id}</code>
          </span>
          <span>
            <span class="narrow-only dim">Setting: </span>
            <code class="setting">{setting}</code>{' '}
            {isChanged && <span class="tag bad">changed</span>}
          </span>
          <code class={documented === setting ? 'dim' : ''}>{documented}</code>
          <code class={live === setting ? 'dim' : ''}>{live}</code>
          <span>{evidence && <EvidenceTag evidence={evidence} />}</span>
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
                  {meaning} <EvidenceTag evidence={evidence} />{' '}
                  {evidence === 'documented' && <span class="dim">{source}</span>}
                </span>
              </label>
            ),
          )}
        </fieldset>
      </details>
      {isChanged && (
        <Button
          label="Reset"
          class="quiet"
          icon={Undo2}
          row={id}
          onClick={() => onSet(policy[profile])}
        />
      )}
    </li>
  )
}

type IntegerSettingProps = Pick<PolicyItemProps, 'policy' | 'onSet'> & { readonly meaning: string }

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
      <Button label="Set" row={policy.id} onClick={() => onSet(value)} />
    </div>
  )
}
