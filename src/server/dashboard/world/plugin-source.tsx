import { useState } from 'preact/hooks'
import type { PluginRow } from '../../../world/rows.ts'
import { useDashboard } from '../kit/context.ts'
import { DetailPanel } from '../kit/dialog.tsx'
import { EmptyState, ErrorMessage } from '../kit/feedback.tsx'
import { Button } from '../kit/fields.tsx'
import { useLoad } from '../kit/hooks.ts'
import { JsonView } from '../kit/table.tsx'

interface PluginSourceProps {
  readonly id: number
  /** Changes whenever rows may have changed. */
  readonly version: number
  readonly back: string
}

export function PluginSource({ id, version, back }: PluginSourceProps) {
  const { remote } = useDashboard()
  const load = () => remote.world.get('plugins', id)
  const { value: plugin, error, isLoading } = useLoad(load, [remote, id, version])
  return (
    <DetailPanel key={id} label={`Plugin ${id}`} title={plugin?.name ?? `Plugin ${id}`} back={back}>
      {error && <ErrorMessage error={error} />}
      {!plugin && !isLoading && !error && <EmptyState title="This plugin no longer exists." />}
      {plugin && <Files plugin={plugin} />}
    </DetailPanel>
  )
}

function Files({ plugin }: { plugin: PluginRow }) {
  const { source, config_schema, url } = plugin
  const names = Object.keys(source ?? {})
  const [selected, setSelected] = useState(names[0])
  const open = selected !== undefined && names.includes(selected) ? selected : names[0]
  return (
    <>
      {url && <p class="long-text dim">{url}</p>}
      <section>
        <h3>Source</h3>
        {open === undefined ? (
          <p class="dim">No source files.</p>
        ) : (
          <>
            <div class="files">
              {names.map((name) => (
                <Button key={name} aria-pressed={name === open} onClick={() => setSelected(name)}>
                  {name}
                </Button>
              ))}
            </div>
            <JsonView value={source[open]} label={`Source of ${open}`} />
          </>
        )}
      </section>
      <section>
        <h3>Configuration schema</h3>
        <JsonView value={config_schema} label="Configuration schema" />
      </section>
    </>
  )
}
