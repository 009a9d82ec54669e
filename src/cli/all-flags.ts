import { presetNames } from '../faults/presets.ts'
import { profiles } from '../policies/settings.ts'
import { fixtureNames } from '../read-world.ts'
import { replayModes } from '../replay-server/mode.ts'
import { logFormats } from './log/format.ts'
import { policySettings } from './policy-settings.ts'
import {
  clockOf,
  faultOf,
  laneOf,
  lanes,
  logFormatOf,
  modeOf,
  policyOf,
  portOf,
  seedOf,
} from './values.ts'

/** The commands that run a simulator. */
export type Running = 'serve' | 'exec'

/** A flag of them. */
export interface Flag {
  readonly flags: string
  readonly says: string
  readonly byDefault?: unknown
  /** @throws UsageError that names the flag and its variable */
  readonly read?: (text: string, before: never) => unknown
  readonly choices?: readonly string[]
  /** Some of what it takes, which a shell completes; choices are completed by themselves. */
  readonly offers?: readonly string[]
  /** Both commands have it unless it says. */
  readonly only?: Running
}

/** Every flag of the commands that run a simulator. */
export const allFlags: readonly Flag[] = [
  {
    flags: '--port <number>',
    says: 'port; 0 takes any free one',
    byDefault: 4010,
    read: portOf,
    only: 'serve',
  },
  {
    flags: '--host <address>',
    says: 'address to listen on',
    byDefault: '127.0.0.1',
    only: 'serve',
  },
  {
    flags: '--data <file|name>',
    says: `a world: a file, or ${fixtureNames.join(', ')}`,
    byDefault: 'default',
    offers: fixtureNames,
  },
  {
    flags: '--state <file>',
    says: 'go on with the world in this file, and keep it there; it begins from --data',
    only: 'serve',
  },
  {
    flags: '--recording <file>',
    says: 'answer from this recording: a scenario, which decides how the world begins',
    only: 'serve',
  },
  {
    flags: '--mode <name>',
    says: `how the recording answers: ${replayModes.join(', ')}; strict where nothing is said`,
    read: modeOf,
    offers: replayModes,
    only: 'serve',
  },
  {
    flags: '--watch',
    says: 'take over what changes in the file of --data or --recording, and keep what was written',
    only: 'serve',
  },
  { flags: '--seed <number>', says: 'what generated values follow from', read: seedOf },
  {
    flags: '--profile <name>',
    says: `a full set of policies: ${profiles.join(' or ')}`,
    byDefault: 'documented',
    offers: profiles,
  },
  {
    flags: '--policy <id=value>',
    says: 'set one policy; may be repeated',
    byDefault: {},
    read: policyOf,
    offers: policySettings,
  },
  {
    flags: '--fault <name|rule>',
    says: `disturb answers: ${presetNames.join(', ')}, or a rule as JSON; may be repeated`,
    byDefault: [],
    read: faultOf,
    offers: presetNames,
  },
  {
    flags: '--clock <time>',
    says: 'real, a time to stand still at, or ticking:<time> to run from there',
    byDefault: 'real',
    read: clockOf,
    offers: ['real', 'ticking:'],
  },
  {
    flags: '--bundle <file>',
    says: 'write what was asked and answered there, to replay it',
    only: 'exec',
  },
  { flags: '--token <text>', says: 'what the control API asks for' },
  {
    flags: '--require-token',
    says: 'refuse to serve without a token, as in a container',
    only: 'serve',
  },
  {
    flags: '--no-cors',
    says: 'keep pages of other origins from reading answers',
    only: 'serve',
  },
  {
    flags: '--scenarios <folder>',
    says: 'scenarios of yours that the dashboard has at hand',
    only: 'serve',
  },
  { flags: '--no-dashboard', says: 'serve no page at /__admin/', only: 'serve' },
  {
    flags: '--lane <name>',
    says: 'the way through the handlers',
    byDefault: 'direct',
    choices: lanes,
    read: laneOf,
    only: 'serve',
  },
  {
    flags: '--stock',
    says: "leave Express's request objects as they are; slower",
    only: 'serve',
  },
  {
    flags: '--log-format <name>',
    says: `how requests are logged on stderr: ${logFormats.join(' or ')}, an object on each line`,
    byDefault: 'text',
    choices: logFormats,
    read: logFormatOf,
    only: 'serve',
  },
  { flags: '--json', says: 'print one line of JSON at the start, for machines', only: 'serve' },
  { flags: '--quiet', says: 'print nothing but errors: no requests either', only: 'serve' },
]
