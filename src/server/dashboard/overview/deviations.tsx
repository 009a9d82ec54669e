import { CircleCheck, type IconNode, Scale, Snowflake, Timer, Zap } from 'lucide'
import type { ComponentChildren } from 'preact'
import { settingsOf, useDashboard, useLiveState } from '../kit/context.ts'
import { useActionButton } from '../kit/form.tsx'
import { capitalize, describeFault, formatCount, formatDateTime } from '../kit/format.ts'
import { Icon } from '../kit/inline.tsx'
import { formatHash, type ViewParams } from '../kit/navigation.ts'
import { ErrorMessage, Section } from '../kit/panels.tsx'

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
export function Deviations() {
  const { link } = useDashboard()
  const { clock, error } = useLiveState()
  const deviations = useDeviations()
  const action = useActionButton()
  return (
    <Section class="card" title="Changed from the defaults">
      {error && <ErrorMessage error={error} />}
      {clock && deviations.length === 0 && (
        <p class="usual">
          <Icon icon={CircleCheck} /> Nothing: no faults, no changed policies, and the real time.
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
