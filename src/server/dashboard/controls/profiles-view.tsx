import type { PolicyInfo } from '../../../policies/settings.ts'
import { useAction, useDashboard } from '../kit/context.ts'
import { ErrorMessage } from '../kit/feedback.tsx'
import { Button } from '../kit/fields.tsx'
import { formatCount } from '../kit/format.ts'
import { useLoad } from '../kit/hooks.ts'
import { type Column, ScrollArea, Table } from '../kit/table.tsx'

/** Compares the two profiles with the current settings, and applies a profile. */
export function ProfilesView() {
  const { remote, link } = useDashboard()
  const { value = [], error, reload } = useLoad(() => remote.policies.list(), [remote])
  const run = useAction(reload)
  const different = value.filter(
    ({ documented, live, setting }) => documented !== live || setting !== documented,
  )
  const apply = (profile: 'documented' | 'live') => {
    const settings = Object.fromEntries(value.map((policy) => [policy.id, policy[profile]]))
    return run(`Profile ${profile} applied.`, () => remote.policies.set(settings))
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
        <Button onClick={() => apply('documented')}>Apply profile documented</Button>
        <Button onClick={() => apply('live')}>Apply profile live</Button>
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
