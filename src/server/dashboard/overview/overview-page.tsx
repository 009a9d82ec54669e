import { CircleCheck, type IconNode, Scale, Snowflake, Timer, Zap } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useDashboard, useLiveState, useReplica } from '../kit/context.ts'
import { CodeLine, useCurlLine } from '../kit/copy.tsx'
import { useActionButton } from '../kit/form.tsx'
import { describeFault, formatCount, formatDateTime } from '../kit/format.ts'
import { useLoad, useStore } from '../kit/hooks.ts'
import { Icon } from '../kit/icon.tsx'
import { ErrorMessage, Section } from '../kit/panels.tsx'
import { KeyTable } from '../world/keys-view.tsx'
import type { RowListName } from '../world/use-rows.tsx'

/** More keys are shown under World. */
const shownKeys = 10

/** The first page: how to send a request, what the world contains, and what is not as usual. */
export function OverviewPage() {
  const { remote, journal, link } = useDashboard()
  const { rowsVersion } = useStore(journal)
  const {
    value: keys = [],
    error,
    reload,
  } = useLoad(() => remote.keys.list(), [remote, rowsVersion])
  const curl = useCurlLine()
  return (
    <div class="overview">
      {error && <ErrorMessage error={error} onRetry={reload} />}
      <Section class="card" title="Send a request">
        <h3>Base URL</h3>
        <CodeLine text={remote.url} name="the base URL" />
        {curl !== undefined && (
          <>
            <h3>Try it in a terminal</h3>
            <CodeLine text={curl} name="the curl command" />
            <p class="dim">
              The request then appears under <a href={link('requests')}>Requests</a>. The{' '}
              <a href="docs/">API reference</a> lists all operations.
            </p>
            <OtherReplicas />
          </>
        )}
      </Section>
      <Deviations />
      <WorldSummary version={rowsVersion} />
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

/** Behind a proxy, a key of the main world can lead to the main world of another replica. */
function OtherReplicas() {
  const { sandbox } = useDashboard()
  const { number = 1, of = 1 } = useReplica() ?? {}
  if (sandbox !== null || of === 1) return null
  const other = (number % of) + 1
  return (
    <p class="dim">
      This page shows replica {number} of {of}. A proxy can send the request to another one, such as{' '}
      <a href={`?replica=${other}`}>replica {other}</a>.
    </p>
  )
}

/** Whatever makes responses differ from those of a new server, each with a way back. */
function Deviations() {
  const { remote, link } = useDashboard()
  const { clock, faults, changedPolicies, profile, error } = useLiveState()
  const action = useActionButton()
  const resetAll = Object.fromEntries(changedPolicies.map((policy) => [policy.id, policy[profile]]))
  const isUsual = faults.length === 0 && changedPolicies.length === 0 && clock?.mode === 'real'
  return (
    <Section class="card" title="Changed from the defaults">
      {error && <ErrorMessage error={error} />}
      {isUsual && (
        <p class="usual">
          <Icon icon={CircleCheck} /> Nothing: no faults, no changed policies, and the real time.
        </p>
      )}
      {faults.length > 0 && (
        <Deviation
          icon={Zap}
          title={<a href={link('controls', 'faults')}>{formatCount(faults.length, 'fault')}</a>}
          action={action('Remove all', 'All faults removed.', () => remote.faults.clear())}
        >
          {faults.slice(0, 5).map((fault) => (
            <li key={fault.id}>{describeFault(fault)}</li>
          ))}
        </Deviation>
      )}
      {changedPolicies.length > 0 && (
        <Deviation
          icon={Scale}
          title={`${formatCount(changedPolicies.length, 'policy', 'policies')} changed`}
          action={action(
            'Back to the profile',
            `Policies of the profile ${profile} restored.`,
            () => remote.policies.set(resetAll),
          )}
        >
          {changedPolicies.slice(0, 5).map(({ id, setting }) => (
            <li key={id}>
              <a href={link('controls', 'policies', id)}>{id}</a> is <code>{setting}</code>
            </li>
          ))}
        </Deviation>
      )}
      {clock && clock.mode !== 'real' && (
        <Deviation
          icon={clock.mode === 'frozen' ? Snowflake : Timer}
          title={
            <a href={link('controls', 'state')}>
              {clock.mode === 'frozen' ? 'Clock frozen' : 'Clock set'}
            </a>
          }
          action={action('Real time', 'Clock set to real time.', () => remote.clock.release())}
        >
          <li>
            <time dateTime={clock.now}>{formatDateTime(clock.now, 'second')} UTC</time>
          </li>
        </Deviation>
      )}
    </Section>
  )
}

function Deviation(props: {
  icon: IconNode
  title: ComponentChildren
  action: ComponentChildren
  children: ComponentChildren
}) {
  return (
    <div class="deviation">
      <Icon icon={props.icon} />
      <div>
        <h3>{props.title}</h3>
        <ul class="plain">{props.children}</ul>
      </div>
      {props.action}
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

/** @param props.version changes whenever rows may have changed */
function WorldSummary({ version }: { version: number }) {
  const { remote, sandbox, link } = useDashboard()
  const { profile, changedPolicies } = useLiveState()
  const loaded = useLoad(
    () => Promise.all(summaryLists.map(([list]) => remote.world.find(list, { limit: 1 }))),
    [remote, version],
  )
  const health = useLoad(() => remote.health(), [remote])
  const failed = [loaded, health].find(({ error }) => error !== null)
  return (
    <Section class="card" title={sandbox === null ? 'World' : `World of ${sandbox}`}>
      {failed?.error && <ErrorMessage error={failed.error} onRetry={failed.reload} />}
      <ul class="plain counts">
        {summaryLists.map(([list, ...path], index) => {
          const { count } = loaded.value?.[index] ?? {}
          return (
            <li key={list}>
              <a href={link('world', ...path)}>
                <strong>{count?.toLocaleString('en') ?? '–'}</strong>{' '}
                {count === 1 ? list.slice(0, -1) : list}
              </a>
            </li>
          )
        })}
      </ul>
      <p>
        {sandbox === null && health.value?.world && `${health.value.world} · `}
        Profile <a href={link('controls', 'policies')}>{profile}</a>
        {changedPolicies.length > 0 && ', with changes'}
        {health.value && <span class="dim"> · Understudy {health.value.version}</span>}
      </p>
    </Section>
  )
}
