import { presetNames } from '../faults/presets.ts'
import { profiles } from '../policies/settings.ts'
import { fixtureNames } from '../read-world.ts'
import { replayModes } from '../replay-server/mode.ts'
import { logFormats } from './log/format.ts'
import { policySettings } from './policy-settings.ts'
import {
  laneOf,
  lanes,
  parseClockFlag,
  parseFaultFlag,
  parseLogFormat,
  parseMode,
  parsePolicyFlag,
  parsePort,
  parseSeed,
} from './values.ts'

/** The commands that run a simulator. */
export type SimulatorCommand = 'serve' | 'exec'

/** A flag of them. */
export interface FlagDefinition {
  readonly flags: string
  readonly description: string
  readonly defaultValue?: unknown
  /** @throws UsageError that names the flag and its variable */
  readonly parse?: (text: string, before: never) => unknown
  readonly choices?: readonly string[]
  /** Some of what it takes, which a shell completes; choices are completed by themselves. */
  readonly offers?: readonly string[]
  /** Both commands have it unless it says. */
  readonly only?: SimulatorCommand
}

/** Every flag of the commands that run a simulator. */
export const flagDefinitions: readonly FlagDefinition[] = [
  {
    flags: '--port <number>',
    description: 'port; 0 takes any free one',
    defaultValue: 4010,
    parse: parsePort,
    only: 'serve',
  },
  {
    flags: '--host <address>',
    description: 'address to listen on',
    defaultValue: '127.0.0.1',
    only: 'serve',
  },
  {
    flags: '--data <file|name>',
    description: `a world: a file, or ${fixtureNames.join(', ')}`,
    defaultValue: 'default',
    offers: fixtureNames,
  },
  {
    flags: '--state <file>',
    description: 'go on with the world in this file, and keep it there; it begins from --data',
    only: 'serve',
  },
  {
    flags: '--recording <file>',
    description: 'answer from this recording: a scenario, which decides how the world begins',
    only: 'serve',
  },
  {
    flags: '--mode <name>',
    description: `how the recording answers: ${replayModes.join(', ')}; strict where nothing is said`,
    parse: parseMode,
    offers: replayModes,
    only: 'serve',
  },
  {
    flags: '--watch',
    description:
      'take over what changes in the file of --data or --recording, and keep what was written',
    only: 'serve',
  },
  { flags: '--seed <number>', description: 'what generated values follow from', parse: parseSeed },
  {
    flags: '--profile <name>',
    description: `a full set of policies: ${profiles.join(' or ')}`,
    defaultValue: 'documented',
    offers: profiles,
  },
  {
    flags: '--policy <id=value>',
    description: 'set one policy; may be repeated',
    defaultValue: {},
    parse: parsePolicyFlag,
    offers: policySettings,
  },
  {
    flags: '--fault <name|rule>',
    description: `disturb answers: ${presetNames.join(', ')}, or a rule as JSON; may be repeated`,
    defaultValue: [],
    parse: parseFaultFlag,
    offers: presetNames,
  },
  {
    flags: '--clock <time>',
    description: 'real, a time to stand still at, or ticking:<time> to run from there',
    defaultValue: 'real',
    parse: parseClockFlag,
    offers: ['real', 'ticking:'],
  },
  {
    flags: '--bundle <file>',
    description: 'write what was asked and answered there, to replay it',
    only: 'exec',
  },
  { flags: '--token <text>', description: 'what the control API asks for' },
  {
    flags: '--require-token',
    description: 'refuse to serve without a token, as in a container',
    only: 'serve',
  },
  {
    flags: '--no-cors',
    description: 'keep pages of other origins from reading answers',
    only: 'serve',
  },
  {
    flags: '--scenarios <folder>',
    description: 'scenarios of yours that the dashboard has at hand',
    only: 'serve',
  },
  { flags: '--no-dashboard', description: 'serve no page at /__admin/', only: 'serve' },
  {
    flags: '--lane <name>',
    description: 'the way through the handlers',
    defaultValue: 'direct',
    choices: lanes,
    parse: laneOf,
    only: 'serve',
  },
  {
    flags: '--stock',
    description: "leave Express's request objects as they are; slower",
    only: 'serve',
  },
  {
    flags: '--log-format <name>',
    description: `how requests are logged on stderr: ${logFormats.join(' or ')}, an object on each line`,
    defaultValue: 'text',
    choices: logFormats,
    parse: parseLogFormat,
    only: 'serve',
  },
  {
    flags: '--json',
    description: 'print one line of JSON at the start, for machines',
    only: 'serve',
  },
  { flags: '--quiet', description: 'print nothing but errors: no requests either', only: 'serve' },
]
