import type { FixtureName } from '../../../world/load/build-world.ts'
import type { WorldJson } from '../../../world/world-json.ts'
import { useAction, useDashboard, useVocabulary } from '../kit/context.ts'
import { FileButton, Select, useFields } from '../kit/fields.tsx'
import { parseJson, RowForm } from '../kit/form.tsx'
import { Section } from '../kit/panels.tsx'

/** Replaces the whole world, by a fixture or a file. */
export function LoadWorldCard() {
  const { remote } = useDashboard()
  const { fixtures = ['default'] } = useVocabulary() ?? {}
  const [{ name }, field] = useFields({ name: 'default' })
  const run = useAction()
  const load = async (world: FixtureName | WorldJson, title: string) => {
    await remote.world.replace(world)
    return `World ${title} loaded.`
  }
  const loadFile = async (file: File) => load(parseJson(await file.text()) as WorldJson, file.name)
  return (
    <Section class="card" title="Load a world">
      <p class="dim">All rows and keys are replaced. Reset then returns to the loaded world.</p>
      <div class="row">
        <RowForm save={() => load(name as FixtureName, name)} submitLabel="Load">
          <Select label="World" hideLabel options={fixtures} {...field('name')} />
        </RowForm>
        <FileButton
          label="Load a world file…"
          accept="application/json,.json"
          onSelect={(file) => run(() => loadFile(file))}
        />
      </div>
    </Section>
  )
}
