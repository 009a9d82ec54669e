import { useEffect, useState } from 'preact/hooks'
import type { PolicyInfo } from '../../policies/info.ts'
import { useAction, useDashboard } from '../kit/place.ts'
import { SearchField } from '../kit/search-field.tsx'
import { EmptyState, ErrorMessage } from '../kit/states.tsx'
import { useLoad } from '../kit/use-load.ts'
import { PolicyItem } from './policy.tsx'

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
