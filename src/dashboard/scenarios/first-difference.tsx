import type { StepDifference, StepResult } from '../../scenarios/result.ts'
import { JsonView } from '../kit/json-view.tsx'
import { useDashboard } from '../kit/place.ts'

/** Where a replay first came out otherwise: what was expected and what came, side by side. */
export function FirstDifference({ step }: { step: StepResult }) {
  const { link } = useDashboard()
  const [first, ...others] = step.differences as [StepDifference, ...StepDifference[]]
  return (
    <section class="difference" aria-label="First difference">
      <h3>
        First difference: step {step.step}, <code>{first.where}</code>
      </h3>
      <p class="line dim">
        {step.title}
        {step.request && ` · ${step.request.method} ${step.request.url}`}
      </p>
      <div class="pair">
        <div>
          <h4>Expected</h4>
          <JsonView value={displayValue(first.expected)} label="Expected" />
        </div>
        <div>
          <h4>Got</h4>
          <JsonView value={displayValue(first.got)} label="Got" />
        </div>
      </div>
      {step.decided_by.length > 0 && (
        <ul class="plain policies">
          {step.decided_by.map(({ id, setting, would_be, evidence, source }) => (
            <li key={id}>
              Decided by <a href={link('controls', 'policies', id)}>{id}</a> ={' '}
              <code>{setting}</code> <span class={`tag ${evidence}`}>{evidence}</span>{' '}
              <span class="dim">{source}</span>; as expected with <code>{would_be}</code>
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <p class="dim">Also different: {others.map(({ where }) => where).join(', ')}</p>
      )}
      {step.answer && (
        <details>
          <summary>The whole answer</summary>
          <JsonView value={parseJsonOrText(step.answer.text)} label="The whole answer" />
        </details>
      )}
    </section>
  )
}

function displayValue(value: unknown): unknown {
  return value === undefined ? 'nothing' : value
}

function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
