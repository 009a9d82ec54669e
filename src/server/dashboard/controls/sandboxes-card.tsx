import { useDashboard, useVocabulary } from '../kit/context.ts'
import { CodeLine, CopyButton } from '../kit/copy.tsx'
import { Input, Select, useFields } from '../kit/fields.tsx'
import { ConfirmButton, Form } from '../kit/form.tsx'
import { formatCount, formatDateTime } from '../kit/format.ts'
import { useLoad } from '../kit/hooks.ts'
import { formatHash } from '../kit/navigation.ts'
import { ListItem, ListSection } from '../kit/panels.tsx'

export function SandboxesCard() {
  const { server } = useDashboard()
  const loaded = useLoad(() => server.sandboxes.list(), [server])
  const form = <NewSandbox sandboxes={loaded.value ?? []} onCreate={loaded.reload} />
  return (
    <ListSection
      class="card"
      title="Sandboxes"
      empty="No sandboxes yet. Each is a separate world with its own URL and keys, for example for one test."
      {...{ loaded, form }}
    >
      {({ id, url, keys, expires_at, curl }) => {
        const info =
          expires_at === null ? 'no expiry' : `expires ${formatDateTime(expires_at, 'second')}`
        const actions = [
          <a key="open" class="button" href={formatHash([], id)}>
            Open {id}
          </a>,
          <ConfirmButton
            key="delete"
            {...{ label: 'Delete', row: id, title: `Delete the sandbox ${id}?` }}
            save={() => server.sandboxes.delete(id).then(() => `Sandbox ${id} deleted.`)}
            onDone={loaded.reload}
          >
            Its rows are lost, and requests with its keys are refused.
          </ConfirmButton>,
        ]
        return (
          <ListItem key={id} {...{ id, info, actions }}>
            <CodeLine text={url} name={`the base URL of ${id}`} />
            {curl !== null && <CodeLine text={curl} name={`the curl command of ${id}`} />}
            <details>
              <summary>{formatCount(keys.length, 'key')}</summary>
              <ul class="plain">
                {keys.map(({ value, label }) => (
                  <li key={value} class="row">
                    <span class="dim">{label}</span> <code>{value}</code>
                    <CopyButton text={value} />
                  </li>
                ))}
              </ul>
            </details>
          </ListItem>
        )
      }}
    </ListSection>
  )
}

function NewSandbox(props: { sandboxes: readonly { id: string }[]; onCreate: () => void }) {
  const { sandboxes, onCreate } = props
  const { server } = useDashboard()
  const [{ from, ttl_s }, field] = useFields({ from: '', ttl_s: '' })
  const create = async () => {
    const lifetime = ttl_s === '' ? {} : { ttl_s: Number(ttl_s) }
    const { id } = await server.sandboxes.create({ ...(from !== '' && { from }), ...lifetime })
    return `Sandbox ${id} created.`
  }
  const { fixtures = [] } = useVocabulary() ?? {}
  const { value: snapshots = [], reload } = useLoad(() => server.snapshots.list(), [server])
  const sources = [
    ['', 'The world that the server started with'] as const,
    ...fixtures.map((name) => [name, `Fixture ${name}`] as const),
    ...snapshots.map(({ name }) => [name, `Snapshot ${name}`] as const),
    ...sandboxes.map(({ id }) => [id, `Sandbox ${id}, with its policies and clock`] as const),
  ]
  const lifetime = { type: 'number', min: 1, placeholder: 'no expiry' } as const
  return (
    <Form save={create} onSuccess={onCreate} submitLabel="New sandbox" submitClass="">
      <Select label="From" options={sources} onFocus={reload} {...field('from')} />
      <Input label="Lifetime in seconds" {...lifetime} {...field('ttl_s')} />
    </Form>
  )
}
