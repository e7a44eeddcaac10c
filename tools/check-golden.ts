/** Says which kinds changed their events, their fold, their fields or their claims without a new version. */
import { kinds } from '../src/modules.ts'
import { problemsOf } from './generated-file.ts'
import { foldedFile, foldGoldenEvents, readFoldedKinds, unversionedChanges } from './golden-states.ts'
import { reportProblems } from './problems.ts'

const folded = foldGoldenEvents(kinds)
const unversioned = unversionedChanges(readFoldedKinds(), folded)

export const problems = unversioned.length > 0 ? unversioned : problemsOf(foldedFile(folded))

if (import.meta.main) reportProblems(problems)
