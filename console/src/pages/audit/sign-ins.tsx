/** Sign-ins, one row each: who signed in where and how, and why it failed. */
import { useTransport } from '@connectrpc/connect-query'
import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import { Navigate, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { usePermissions } from '../../access/me.tsx'
import { useOrganization } from '../../access/organization.tsx'
import { AreaLinks } from '../../parts/area-links.tsx'
import { AreaPage } from '../../parts/area-page.tsx'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { PageLoader } from '../../parts/page-loader.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useTexts } from '../../texts/index.tsx'
import { DownloadButton } from './download-button.tsx'
import { SIGN_IN_HEADINGS, signInRows } from './exported-rows.ts'
import { signInFilterOf, useSignIns } from './read-sign-ins.ts'
import { RefusedRows } from './refused-rows.tsx'
import { SignInDrawer } from './sign-in-drawer.tsx'
import { SignInFilters } from './sign-in-filters.tsx'
import type { SignInSearch } from './sign-in-search.ts'
import { SignInTable } from './sign-in-table.tsx'
import { auditTexts } from './texts/index.ts'

/** The page. Those who may read events alone are led to them. */
export function SignInsPage() {
  const t = useTexts(auditTexts)
  const search = useSearch({ from: '/audit' })
  const navigate = useNavigate()
  const { canSomewhere } = usePermissions()
  const { organizationId } = useOrganization()
  const transport = useTransport()
  const set = (change: SignInSearch) => {
    const kept = Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined && value !== '')
    void navigate({ to: '/audit', search: Object.fromEntries(kept) as never, replace: true })
  }
  if (!canSomewhere('session.read')) return <Navigate to="/audit/events" replace />
  return (
    <AreaPage
      title={t.signIns}
      description={t.signInsDescription}
      links={<AreaLinks area="/audit" />}
      actions={
        <DownloadButton
          name="signet-sign-ins"
          headings={SIGN_IN_HEADINGS}
          readPages={(signal) => signInRows(transport, signInFilterOf(search, organizationId), signal)}
        />
      }
    >
      <SignInFilters search={search} onChange={set} />
      <SignInRows search={search} onClear={() => void navigate({ to: '/audit', search: {} as never })} />
    </AreaPage>
  )
}

interface SignInRowsProps {
  readonly search: SignInSearch
  onClear(): void
}

function SignInRows({ search, onClear }: SignInRowsProps) {
  const t = useTexts(auditTexts)
  const { organizationId } = useOrganization()
  const [shownId, setShownId] = useState<string>()
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useSignIns(search, organizationId)
  const found = data?.pages.flat()
  if (found === undefined) return error === null ? <PageLoader /> : <FailureNotice error={error} onRetry={refetch} />
  return (
    <>
      {error !== null && <FailureNotice error={error} onRetry={refetch} />}
      <RefusedRows search={search} />
      {found.length === 0 && <NoRows isFiltered={Object.keys(search).length > 0} onClear={onClear} />}
      {found.length > 0 && <SignInTable signIns={found} onShow={({ id }) => setShownId(id)} />}
      {hasNextPage && (
        <Group justify="center">
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t.older}
          </Button>
        </Group>
      )}
      <SignInDrawer signInId={shownId} onClose={() => setShownId(undefined)} />
    </>
  )
}

interface NoRowsProps {
  readonly isFiltered: boolean
  onClear(): void
}

/** In place of rows. */
export function NoRows({ isFiltered, onClear }: NoRowsProps) {
  const { list } = useTexts(partsTexts)
  return (
    <Paper withBorder p="xl" ta="center">
      <Stack align="center" gap="xs">
        <Text>{isFiltered ? list.nothingFound : list.empty}</Text>
        {isFiltered && (
          <Button variant="default" onClick={onClear}>
            {list.clear}
          </Button>
        )}
      </Stack>
    </Paper>
  )
}
