import { CircleCheck, CirclePause, type IconNode, Scale, Snowflake, Timer, Zap } from 'lucide'
import type { ComponentChildren } from 'preact'
import {
  formatHash,
  settingsOf,
  useBreakpoints,
  useDashboard,
  useLiveState,
  useWorldData,
  type ViewParams,
} from '../kit/context.ts'
import { CodeLine, useCurlLine } from '../kit/copy.tsx'
import { useActionButton } from '../kit/form.tsx'
import {
  capitalize,
  describeFault,
  describeRequests,
  formatCount,
  formatDateTime,
  formatNumber,
} from '../kit/format.ts'
import { Icon } from '../kit/inline.tsx'
import { ErrorMessage, Section } from '../kit/panels.tsx'
import { KeyTable } from '../world/keys-view.tsx'
import type { RowListName } from '../world/rows.tsx'

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
            <OtherReplicas />
          </>
        )}
      </Section>
      <Deviations />
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

/** Behind a proxy, a key of the main world can lead to the main world of another replica. */
function OtherReplicas() {
  const { sandbox } = useDashboard()
  const { number = 1, of = 1 } = useLiveState().health?.replica ?? {}
  if (sandbox !== null || of === 1) return null
  const other = (number % of) + 1
  return (
    <p class="dim">
      This page shows replica {number} of {of}. A proxy can send the request to another one, such as{' '}
      <a href={`?replica=${other}`}>replica {other}</a>.
    </p>
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
        {changedPolicies.length > 0 && ', with changes'}
        {health && <span class="dim"> · Understudy {health.version}</span>}
      </p>
    </Section>
  )
}

/** Something that makes responses differ from those of a new server. */
interface Deviation {
  readonly icon: IconNode
  readonly text: string
  /** The view under `controls` that shows it. */
  readonly view: string
  readonly params?: ViewParams
  readonly details: ComponentChildren
  readonly reset: Parameters<ReturnType<typeof useActionButton>>
}

/** How many faults or policies are shown. All are in their own views. */
const maxDetails = 5

function useDeviations(): Deviation[] {
  const { remote, link } = useDashboard()
  const { clock, faults, changedPolicies, profile } = useLiveState()
  const { breakpoints, held } = useBreakpoints()
  const deviations: Deviation[] = []
  if (faults.length > 0) {
    deviations.push({
      icon: Zap,
      text: formatCount(faults.length, 'fault'),
      view: 'faults',
      details: faults
        .slice(0, maxDetails)
        .map((fault) => <li key={fault.id}>{describeFault(fault)}</li>),
      reset: ['Remove all', 'All faults removed.', () => remote.faults.clear()],
    })
  }
  if (breakpoints.length > 0) {
    const count = formatCount(breakpoints.length, 'breakpoint')
    deviations.push({
      icon: CirclePause,
      text: held.length > 0 ? `${formatCount(held.length, 'request')} held` : count,
      view: 'breakpoints',
      details: breakpoints
        .slice(0, maxDetails)
        .map((breakpoint) => <li key={breakpoint.id}>{describeRequests(breakpoint)}</li>),
      reset: ['Remove all', 'All breakpoints removed.', () => remote.breakpoints.clear()],
    })
  }
  if (changedPolicies.length > 0) {
    deviations.push({
      icon: Scale,
      text: `${formatCount(changedPolicies.length, 'policy', 'policies')} changed`,
      view: 'policies',
      params: { show: 'changed' },
      details: changedPolicies.slice(0, maxDetails).map(({ id, setting }) => (
        <li key={id}>
          <a href={link('controls', 'policies', id)}>{id}</a> is <code>{setting}</code>
        </li>
      )),
      reset: [
        'Back to the profile',
        `Policies of the profile ${profile} restored.`,
        () => remote.policies.set(settingsOf(profile, changedPolicies)),
      ],
    })
  }
  if (clock && clock.mode !== 'real') {
    const isFrozen = clock.mode === 'frozen'
    deviations.push({
      icon: isFrozen ? Snowflake : Timer,
      text: isFrozen ? 'clock frozen' : 'clock set',
      view: 'state',
      details: (
        <li>
          <time dateTime={clock.now}>{formatDateTime(clock.now, 'second')} UTC</time>
        </li>
      ),
      reset: ['Real time', 'Clock set to real time.', () => remote.clock.release()],
    })
  }
  return deviations
}

/** Links to everything that is changed, in the header of each page. */
export function Badges() {
  const { sandbox } = useDashboard()
  return (
    <div class="badges" role="status" aria-label="Changed from the defaults">
      {useDeviations().map(({ icon, text, view, params }) => (
        <a key={view} class="badge" href={formatHash(['controls', view], sandbox, params)}>
          <Icon icon={icon} />
          {text}
        </a>
      ))}
    </div>
  )
}

/** Everything that is changed, each with a way back. */
function Deviations() {
  const { link } = useDashboard()
  const { clock, error } = useLiveState()
  const deviations = useDeviations()
  const action = useActionButton()
  return (
    <Section class="card" title="Changed from the defaults">
      <ErrorMessage error={error} />
      {clock && deviations.length === 0 && (
        <p class="usual">
          <Icon icon={CircleCheck} /> Nothing: no faults, no breakpoints, no changed policies, and
          the real time.
        </p>
      )}
      {deviations.map(({ icon, text, view, details, reset }) => (
        <div key={view} class="deviation">
          <Icon icon={icon} />
          <div>
            <h3>
              <a href={link('controls', view)}>{capitalize(text)}</a>
            </h3>
            <ul class="plain">{details}</ul>
          </div>
          {action(...reset)}
        </div>
      ))}
    </Section>
  )
}
