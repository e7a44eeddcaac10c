/** The frame of all pages: header, navigation, and the page itself. */
import { Anchor, AppShell, Burger, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { usePermissions } from '../access/me.tsx'
import { OrganizationProvider } from '../access/organization.tsx'
import seal from '../seal.svg'
import { useTexts } from '../texts/index.tsx'
import { ConnectionNotice } from './connection-notice.tsx'
import { HelpLink } from './help-link.tsx'
import { LeaveGuard } from './leave-guard.tsx'
import { Navigation } from './navigation.tsx'
import { NoRoles } from './no-roles.tsx'
import { SearchButton } from './search/search-button.tsx'
import { shellTexts } from './texts/index.ts'
import { UserMenu } from './user-menu.tsx'

/** Loaded after the first page: the service of organizations is large. */
const OrganizationSwitcher = lazy(async () => ({
  default: (await import('./organization-switcher.tsx')).OrganizationSwitcher,
}))

/** The frame, in the organization that the address names. */
export function Shell() {
  return (
    <OrganizationProvider>
      <Frame />
      <LeaveGuard />
    </OrganizationProvider>
  )
}

/** On narrow screens the navigation opens with a button. */
function Frame() {
  const t = useTexts(shellTexts)
  const { pathname } = useLocation()
  const { isAdministrator } = usePermissions()
  const [isOpen, { toggle, close }] = useDisclosure()
  useEffect(() => {
    if (pathname) close()
  }, [pathname, close])
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 252, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <a href="#page" className="skip-link">
        {t.skip}
      </a>
      <AppShell.Header px="sm">
        <Group h="100%" gap="sm" wrap="nowrap">
          <Burger
            opened={isOpen}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label={t.menu}
            aria-expanded={isOpen}
          />
          <Anchor component={Link} to="/" underline="never" c="inherit" aria-label={`Signet – ${t.navigation.home}`}>
            <Group gap="xs" wrap="nowrap">
              <img src={seal} alt="" width={28} height={28} />
              <Text fw={600} visibleFrom="md" component="span">
                Signet
              </Text>
            </Group>
          </Anchor>
          <Suspense fallback={null}>{isAdministrator && <OrganizationSwitcher />}</Suspense>
          <Group ml="auto" gap="xs" wrap="nowrap">
            {isAdministrator && <SearchButton />}
            <HelpLink />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs">
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main id="page" tabIndex={-1} style={{ outline: 'none' }}>
        <ConnectionNotice />
        {isAdministrator ? <Outlet /> : <NoRoles />}
      </AppShell.Main>
    </AppShell>
  )
}
