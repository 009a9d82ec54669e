import type { BreakpointRequest } from '../../../sandbox/breakpoints/breakpoint-request.ts'
import { useBreakpoints, useDashboard, useVocabulary, withoutEmpty } from '../kit/context.ts'
import { Input, Select, useFields } from '../kit/fields.tsx'
import { Form, useActionButton } from '../kit/form.tsx'
import { describeRequests, formatNumber } from '../kit/format.ts'
import { ListItem, ListSection, Section } from '../kit/panels.tsx'
import { HeldRequests } from '../requests/held-requests.tsx'

export function BreakpointsView() {
  const { breakpoints } = useDashboard().remote
  const { breakpoints: value, error, reload } = useBreakpoints()
  const action = useActionButton()
  const removeAll = action('Remove all', 'All breakpoints removed.', () => breakpoints.clear())
  const empty = (
    <p class="dim">
      No breakpoints. Add one below. Matching requests then wait here until you continue, edit,
      answer or drop them.
    </p>
  )
  return (
    <div class="stack">
      <div class="card">
        <HeldRequests />
      </div>
      <ListSection
        class="card"
        title="Breakpoints"
        loaded={{ value, error, reload }}
        empty={empty}
        actions={value.length > 0 && removeAll}
      >
        {({ id, matched, applied, warning, timeout_ms, ...rule }) => (
          <ListItem
            key={id}
            id={id}
            info={`matched ${formatNumber(matched)}, held ${formatNumber(applied)}`}
            actions={action('Remove', `${id} removed.`, () => breakpoints.remove(id), { row: id })}
          >
            <p class="long-text" title={JSON.stringify(rule)}>
              {describeRequests(rule)}, for up to {formatNumber(timeout_ms / 1_000)} s
            </p>
            {warning !== null && <p class="bad">{warning}</p>}
          </ListItem>
        )}
      </ListSection>
      <BreakpointForm />
    </div>
  )
}

function BreakpointForm() {
  const { breakpoints } = useDashboard().remote
  const { operations = [] } = useVocabulary() ?? {}
  const [draft, field] = useFields({ operation: '', key: '', seconds: '300', times: '1' })
  const save = async () => {
    const { operation, key, seconds, times } = draft
    const when = times && { times: Number(times) }
    const timeout_ms = seconds && Number(seconds) * 1_000
    const rule = withoutEmpty({ operation, key, when, timeout_ms })
    const { id } = await breakpoints.add(rule as BreakpointRequest)
    return `${id} added.`
  }
  const operationOptions = [['', 'Any request'] as const, ...operations.map(({ id }) => id)]
  const seconds = { type: 'number', min: 1, max: 600, placeholder: '30' } as const
  const times = { type: 'number', min: 1, placeholder: 'unlimited' } as const
  return (
    <Section class="card" title="New breakpoint">
      <Form save={save} submitLabel="Add breakpoint">
        <div class="side-by-side">
          <Select label="Operation" options={operationOptions} {...field('operation')} />
          <Input label="Key (label or value)" placeholder="any" {...field('key')} />
          <Input label="Hold for (s)" {...seconds} {...field('seconds')} />
          <Input label="Maximum times" {...times} {...field('times')} />
        </div>
      </Form>
    </Section>
  )
}
