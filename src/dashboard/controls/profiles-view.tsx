import type { PolicyInfo } from '../../policies/info.ts'
import { useDo, usePlace } from '../kit/place.ts'
import { Scroll } from '../kit/scroll.tsx'
import { Problem } from '../kit/states.tsx'
import { useLoad } from '../kit/use-load.ts'

/** Where the two profiles differ, and which of them holds. */
export function ProfilesView() {
  const { remote, link } = usePlace()
  const { value = [], error, reload } = useLoad(() => remote.policies.list(), [remote])
  const act = useDo()
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
      {error && <Problem error={error} onRetry={reload} />}
      <Scroll label="Differences of the profiles">
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
              <Line
                key={policy.id}
                policy={policy}
                href={link('controls', 'policies', policy.id)}
              />
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  )
}

function Line({ policy, href }: { policy: PolicyInfo; href: string }) {
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
