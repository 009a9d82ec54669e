import { ClockTime } from '../controls/state-cards.tsx'
import { useDashboard, useLiveState, useWorldData } from '../kit/context.ts'
import { CodeLine, useCurlLine } from '../kit/copy.tsx'
import { formatCount, formatNumber } from '../kit/format.ts'
import { ErrorMessage, Section } from '../kit/panels.tsx'
import { KeyTable } from '../world/keys-view.tsx'
import type { RowListName } from '../world/rows.tsx'
import { Changes } from './changes.tsx'

/** More keys are shown under World. */
const shownKeys = 10

/** The first page: how to send a request, what the world contains, and what is not as usual. */
export function OverviewPage() {
  const { remote, link } = useDashboard()
  const { value: keys = [], error, reload } = useWorldData((remote) => remote.keys.list())
  const curl = useCurlLine()
  return (
    <div class="overview">
      <ErrorMessage error={error} reload={reload} />
      <Section class="card" title="Send a request">
        <h3>Base URL</h3>
        <CodeLine text={remote.url} name="the base URL" />
        {curl !== undefined && (
          <>
            <h3>Try it in a terminal</h3>
            <CodeLine text={curl} name="the curl command" />
            <p class="dim">
              The request then appears under <a href={link('requests')}>Requests</a>. The{' '}
              <a href={link('reference')}>API reference</a> lists all operations.
            </p>
          </>
        )}
      </Section>
      <Changes />
      <WorldSummary />
      <Section
        class="card wide-card"
        title="Keys"
        actions={
          <a href={link('world', 'keys')}>
            {keys.length > shownKeys ? `Show all ${keys.length} keys` : 'Issue or revoke keys'}
          </a>
        }
      >
        <KeyTable keys={keys.slice(0, shownKeys)} />
      </Section>
    </div>
  )
}

const summaryLists: readonly (readonly [RowListName, ...string[]])[] = [
  ['annotations', 'annotations'],
  ['plugins', 'plugins'],
  ['projects', 'others', 'projects'],
  ['organizations', 'others', 'organizations'],
  ['users', 'others', 'users'],
]

function WorldSummary() {
  const { sandbox, link } = useDashboard()
  const { profile, changedPolicies, health } = useLiveState()
  const { value, error, reload } = useWorldData(({ world }) =>
    Promise.all(summaryLists.map(([list]) => world.find(list, { limit: 1 }))),
  )
  return (
    <Section class="card" title={sandbox === null ? 'World' : `World of ${sandbox}`}>
      <ErrorMessage error={error} reload={reload} />
      <ul class="plain counts">
        {summaryLists.map(([list, ...path], index) => {
          const { count } = value?.[index] ?? {}
          return (
            <li key={list}>
              <a href={link('world', ...path)}>
                <strong>{count === undefined ? '–' : formatNumber(count)}</strong>{' '}
                {count === 1 ? list.slice(0, -1) : list}
              </a>
            </li>
          )
        })}
      </ul>
      <p>
        {sandbox === null && health?.world && `${health.world} · `}
        Profile <a href={link('controls', 'policies')}>{profile}</a>
        {changedPolicies.length > 0 &&
          `, except ${formatCount(changedPolicies.length, 'policy', 'policies')}`}
        {health && <span class="dim"> · Understudy {health.version}</span>}
      </p>
      <p>
        <a href={link('controls', 'state')}>Clock</a> <ClockTime />
      </p>
    </Section>
  )
}
