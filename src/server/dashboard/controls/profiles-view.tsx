import type { PolicyInfo } from '../../../policies/simulator-policies.ts'
import { useAction, useDashboard } from '../kit/context.ts'
import { ErrorMessage } from '../kit/feedback.tsx'
import { useLoad } from '../kit/hooks.ts'
import { ScrollArea } from '../kit/table.tsx'

/** Where the two profiles differ, and which of them holds. */
export function ProfilesView() {
  const { remote, link } = useDashboard()
  const { value = [], error, reload } = useLoad(() => remote.policies.list(), [remote])
  const act = useAction()
  const different = value.filter(({ documented, live, setting }) => {
    return documented !== live || setting !== documented
  })
  const choose = async (profile: 'documented' | 'live') => {
    const settings = Object.fromEntries(value.map((policy) => [policy.id, policy[profile]]))
    const work = () => remote.policies.set(settings)
    if (await act(`Every policy is as in ${profile}.`, work)) reload()
  }
  return (
    <>
      <div class="toolbar">
        <span class="count grow">{different.length} policies differ</span>
        <button type="button" onClick={() => choose('documented')}>
          Set all to documented
        </button>
        <button type="button" onClick={() => choose('live')}>
          Set all to live
        </button>
      </div>
      {error && <ErrorMessage error={error} onRetry={reload} />}
      <ScrollArea label="Differences of the profiles">
        <table class="rows">
          <thead>
            <tr>
              <th>Policy</th>
              <th>documented</th>
              <th>live</th>
              <th>now</th>
            </tr>
          </thead>
          <tbody>
            {different.map((policy) => (
              <ProfileDifference
                key={policy.id}
                policy={policy}
                href={link('controls', 'policies', policy.id)}
              />
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </>
  )
}

function ProfileDifference({ policy, href }: { policy: PolicyInfo; href: string }) {
  const { id, question, documented, live, setting } = policy
  const is = (value: string | number) => (value === setting ? 'value holds' : 'value')
  return (
    <tr>
      <td class="content">
        <a href={href}>{id}</a>
        <p class="dim">{question}</p>
      </td>
      <td class={is(documented)}>{documented}</td>
      <td class={is(live)}>{live}</td>
      <td class={setting === documented || setting === live ? 'value' : 'value bad'}>{setting}</td>
    </tr>
  )
}
