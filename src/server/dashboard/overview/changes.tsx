import { CircleCheck, type IconNode, KeyRound, Rows3, Scale, Snowflake, Timer, Zap } from 'lucide'
import type { ComponentChildren } from 'preact'
import type { ResetOptions } from '../../../sandbox/simulator-base.ts'
import type { StateChanges } from '../../../sandbox/state-changes.ts'
import { nearestProfile, useDashboard, useLiveState, type ViewParams } from '../kit/context.ts'
import { useActionButton } from '../kit/form.tsx'
import {
  capitalize,
  countFaults,
  describeFault,
  formatCount,
  formatDateTime,
  formatNumber,
  isUsedUp,
} from '../kit/format.ts'
import { Icon } from '../kit/inline.tsx'
import { ErrorMessage, Section } from '../kit/panels.tsx'

/** Something that makes responses differ from those of a new server in the profile `documented`. */
interface Deviation {
  readonly icon: IconNode
  readonly text: string
  /** The view that shows it. */
  readonly path: readonly string[]
  readonly params?: ViewParams
  readonly details: ComponentChildren
  /** How to return to the start. Null for a setting of the start */
  readonly reset: Parameters<ReturnType<typeof useActionButton>> | null
}

/** How many lines a part has at most. All are in their own views. */
const maxDetails = 5

function useDeviations(): Deviation[] {
  const { remote, link } = useDashboard()
  const { clock, faults, policies, profile, changedPolicies, changes } = useLiveState()
  const deviations: Deviation[] = []
  if (!changes) return deviations
  const reset = (...only: NonNullable<ResetOptions['only']>): Deviation['reset'] => [
    `Reset ${only.join(' and ')}`,
    `${capitalize(only.join(' and '))} reset to the start.`,
    () => remote.reset({ only }),
  ]
  if (changes.rows.length > 0) {
    deviations.push({
      icon: Rows3,
      text: `${formatCount(changes.rows.reduce(countRows, 0), 'row')} changed`,
      path: ['world'],
      details: changes.rows.map(({ list, ...counts }) => (
        <li key={list}>
          {capitalize(list.replaceAll('_', ' '))}: {describeCounts(counts)}
        </li>
      )),
      // The rows that a reset restores include the keys.
      reset: changes.keys ? reset('rows', 'keys') : reset('rows'),
    })
  }
  if (changes.keys) {
    deviations.push({
      icon: KeyRound,
      text: `${formatCount(countRows(0, changes.keys), 'key')} changed`,
      path: ['world', 'keys'],
      details: <li>{capitalize(describeCounts(changes.keys))}</li>,
      reset: reset('keys'),
    })
  }
  const startOf = new Map<string, string | number>(
    changes.policies.map(({ id, start }) => [id, start]),
  )
  const before = nearestProfile(
    policies.map((policy) => ({ ...policy, setting: startOf.get(policy.id) ?? policy.setting })),
  )
  const isOtherProfile = before.profile !== profile
  if (changes.policies.length > 0 || changedPolicies.length > 0) {
    const count = `${formatCount(changedPolicies.length, 'policy', 'policies')} changed`
    deviations.push({
      icon: Scale,
      text:
        [isOtherProfile && `profile ${profile}`, changedPolicies.length > 0 && count]
          .filter(Boolean)
          .join(', ') || 'policies changed',
      path: ['controls', 'policies'],
      params: changedPolicies.length > 0 ? { show: 'changed' } : {},
      details: [
        isOtherProfile && (
          <li key="">
            {formatCount(changes.policies.length, 'policy', 'policies')} of the profile {profile} in
            place of {before.profile}
          </li>
        ),
        ...(isOtherProfile ? changedPolicies : (changes.policies as readonly NamedSetting[]))
          .slice(0, maxDetails)
          .map(({ id, setting }) => (
            <li key={id}>
              <a href={link('controls', 'policies', id)}>{id}</a> is <code>{setting}</code>
              {startOf.has(id) && (
                <>
                  , was <code>{startOf.get(id)}</code>
                </>
              )}
            </li>
          )),
        changes.policies.length > maxDetails && !isOtherProfile && (
          <li key="more">and {changes.policies.length - maxDetails} more</li>
        ),
      ],
      reset: changes.policies.length > 0 ? reset('policies') : null,
    })
  }
  if (faults.length > 0 || changes.faults) {
    deviations.push({
      icon: Zap,
      text: faults.length > 0 ? countFaults(faults) : 'faults removed',
      path: ['controls', 'faults'],
      details: [
        ...faults.slice(0, maxDetails).map((fault) => (
          <li key={fault.id}>
            {describeFault(fault)}
            {isUsedUp(fault) && ' (used up)'}
          </li>
        )),
        faults.length > maxDetails && <li key="more">and {faults.length - maxDetails} more</li>,
      ],
      reset: changes.faults ? reset('faults') : null,
    })
  }
  if (clock && (clock.mode !== 'real' || changes.clock)) {
    const isFrozen = clock.mode === 'frozen'
    deviations.push({
      icon: isFrozen ? Snowflake : Timer,
      text: { frozen: 'clock frozen', ticking: 'clock set', real: 'clock in real time' }[
        clock.mode
      ],
      path: ['controls', 'state'],
      details: (
        <li>
          <time dateTime={clock.now}>{formatDateTime(clock.now, 'second')} UTC</time>
          {changes.clock && `, was ${describeClock(changes.clock)}`}
        </li>
      ),
      reset: changes.clock ? reset('clock') : null,
    })
  }
  return deviations
}

interface NamedSetting {
  readonly id: string
  readonly setting: string | number
}

type Counts = NonNullable<StateChanges['keys']>

function countRows(sum: number, { added, changed, removed }: Counts): number {
  return sum + added + changed + removed
}

/** @example describeCounts({ added: 2, changed: 0, removed: 1 }) // '2 added, 1 removed' */
function describeCounts(counts: Counts): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${formatNumber(count)} ${kind}`)
    .join(', ')
}

function describeClock({ mode, now }: NonNullable<StateChanges['clock']>): string {
  if (now === null) return 'in real time'
  return `${mode === 'frozen' ? 'frozen at' : 'running from'} ${formatDateTime(now, 'second')}`
}

/** Links to everything that is not as usual, in the header of each page. */
export function Badges() {
  const { link, linkTo } = useDashboard()
  return (
    <div class="badges" role="status" aria-label="Changed from the defaults">
      {useDeviations().map(({ icon, text, path, params }) => (
        <a key={text} class="badge" href={params ? linkTo(path, params) : link(...path)}>
          <Icon icon={icon} />
          {text}
        </a>
      ))}
    </div>
  )
}

/** Everything that differs from the start, with one button back each. */
export function Changes() {
  const { link } = useDashboard()
  const { changes, error } = useLiveState()
  const deviations = useDeviations()
  const action = useActionButton()
  const ofStart = deviations.filter(({ reset }) => reset === null)
  return (
    <Section class="card" title="Changed since the start">
      <ErrorMessage error={error} />
      {changes && deviations.length === ofStart.length && (
        <p class="usual">
          <Icon icon={CircleCheck} /> Nothing: rows, keys, policies, faults and clock are those of
          the start.
        </p>
      )}
      {deviations.map(
        ({ icon, text, path, details, reset }) =>
          reset && (
            <div key={path.join()} class="deviation">
              <Icon icon={icon} />
              <div>
                <h3>
                  <a href={link(...path)}>{capitalize(text)}</a>
                </h3>
                <ul class="plain">{details}</ul>
              </div>
              {action(...reset)}
            </div>
          ),
      )}
      {ofStart.length > 0 && (
        <p class="dim">As at the start: {ofStart.map(({ text }) => text).join(', ')}.</p>
      )}
    </Section>
  )
}
