/** The sentences of signing in, in Polish. */
import { counted } from '../polish-counts.ts'
import type { signInTexts as english } from './en.ts'

export const signInTexts: typeof english = {
  insecure: {
    title: 'Połączenie nie jest bezpieczne',
    text: 'Logowanie wymaga szyfrowanego połączenia. Otwórz tę stronę pod adresem, który zaczyna się od https://.',
  },
  wait: {
    title: 'Poczekaj chwilę',
    text: 'Zbyt wiele prób.',
    again: 'Spróbuj ponownie',
    seconds: (count) => `Spróbuj ponownie za ${counted(count, 'sekundę', 'sekundy', 'sekund')}.`,
    minutes: (count) => `Spróbuj ponownie za ${counted(count, 'minutę', 'minuty', 'minut')}.`,
  },
  signIn: {
    title: 'Zaloguj się',
    name: 'Nazwa użytkownika lub adres e-mail',
    password: 'Hasło',
    show: 'Pokaż hasło',
    button: 'Zaloguj się',
    or: 'lub',
    passkey: 'Zaloguj się kluczem dostępu',
    nameMissing: 'Wpisz nazwę użytkownika lub adres e-mail.',
    passwordMissing: 'Wpisz hasło.',
    refused: 'Nazwa użytkownika, adres e-mail lub hasło są nieprawidłowe albo to konto jest obecnie niedostępne.',
  },
  again: {
    title: 'Potwierdź swoją tożsamość',
    lead: (userName) => `Zalogowano jako „${userName}”. Potwierdź swoją tożsamość, aby zmienić ustawienia logowania.`,
    button: 'Dalej',
    passkey: 'Użyj klucza dostępu',
  },
  keys: {
    cancelled: 'Żądanie zostało anulowane lub upłynął limit czasu. Spróbuj ponownie.',
    known: 'To urządzenie lub ten klucz bezpieczeństwa są już zarejestrowane.',
    failed: 'Przeglądarka nie mogła wykonać żądania. Wybierz inną metodę.',
    unsupported: 'Ta przeglądarka nie obsługuje kluczy dostępu. Użyj nowszej przeglądarki.',
    needsScript: 'Klucze dostępu wymagają obsługi JavaScript. Włącz ją w ustawieniach przeglądarki.',
    unavailable: 'W tej witrynie nie można użyć klucza dostępu. Wybierz inną metodę.',
    tooLate: 'Upłynął limit czasu. Odśwież stronę i spróbuj ponownie.',
    refused: 'Nie rozpoznano klucza dostępu lub klucza bezpieczeństwa albo upłynął limit czasu. Spróbuj ponownie.',
  },
  secondFactor: {
    title: 'Weryfikacja dwuetapowa',
    lead: {
      u2f: 'Użyj klucza bezpieczeństwa.',
      totp: 'Wpisz kod z aplikacji uwierzytelniającej. Każdy kod działa tylko raz. Jeśli kod został już użyty, poczekaj na następny.',
      otp_email: 'Wyślemy kod weryfikacyjny na Twój adres e-mail.',
      otp_sms: 'Wyślemy kod weryfikacyjny na Twój telefon.',
      recovery_code: 'Wpisz jeden z kodów odzyskiwania. Każdy kod działa tylko raz.',
    },
    sent: {
      otp_email: 'Wysłaliśmy kod weryfikacyjny na Twój adres e-mail. Kod jest ważny przez 5 minut.',
      otp_sms: 'Wysłaliśmy kod weryfikacyjny na Twój telefon. Kod jest ważny przez 5 minut.',
    },
    code: {
      totp: 'Kod weryfikacyjny',
      otp_email: 'Kod weryfikacyjny',
      otp_sms: 'Kod weryfikacyjny',
      recovery_code: 'Kod odzyskiwania',
    },
    names: {
      u2f: 'Klucz bezpieczeństwa',
      totp: 'Aplikacja uwierzytelniająca',
      otp_email: 'Kod w wiadomości e-mail',
      otp_sms: 'Kod SMS',
      recovery_code: 'Kod odzyskiwania',
    },
    button: 'Dalej',
    useKey: 'Użyj klucza bezpieczeństwa',
    send: 'Wyślij kod',
    sendAgain: 'Wyślij nowy kod',
    others: 'Wybierz inną metodę',
    missing: 'Wpisz kod.',
    refused: 'Ten kod jest nieprawidłowy, wygasł lub został już użyty. Spróbuj ponownie z nowym kodem.',
    notSent: 'Nie udało się wysłać kodu. Wybierz inną metodę.',
  },
  requiredFactor: {
    title: 'Skonfiguruj weryfikację dwuetapową',
    lead: 'Twoja organizacja wymaga drugiego etapu logowania. Aby przejść dalej, skonfiguruj go jednorazowo.',
    none: 'Twoja organizacja wymaga weryfikacji dwuetapowej, ale żadna metoda nie jest dla Ciebie dostępna. Skontaktuj się z administratorem.',
    app: 'Skonfiguruj aplikację uwierzytelniającą',
    key: 'Skonfiguruj klucz bezpieczeństwa',
  },
  app: {
    title: 'Skonfiguruj aplikację uwierzytelniającą',
    lead: 'Zeskanuj kod QR aplikacją. Następnie wpisz kod, który się w niej wyświetli.',
    picture: 'Kod QR dla aplikacji uwierzytelniającej',
    byHand: 'Nie możesz zeskanować kodu? Wpisz ten klucz w aplikacji:',
    code: 'Kod weryfikacyjny',
    button: 'Zakończ konfigurację',
    refused: 'Ten kod jest nieprawidłowy. Wpisz aktualny kod z aplikacji.',
  },
  signedIn: {
    title: 'Zalogowano',
    lead: (userName) => `Witaj, ${userName}. Trwa przekierowanie…`,
    go: 'Dalej',
    account: 'Przejdź do swojego konta',
  },
  signedOut: {
    title: 'Wylogowano',
    lead: 'Twoja sesja w tej przeglądarce została zakończona.',
    again: 'Zaloguj się ponownie',
  },
  changePassword: {
    title: 'Zmień hasło',
    firstTitle: 'Ustaw hasło',
    required: 'Aby przejść dalej, zastąp hasło tymczasowe nowym.',
    current: 'Obecne hasło',
    currentMissing: 'Wpisz obecne hasło.',
    wrong: 'Obecne hasło jest nieprawidłowe.',
  },
  registerPasskey: {
    title: 'Dodaj klucz dostępu',
    lead: 'Loguj się odciskiem palca, twarzą lub kodem PIN urządzenia zamiast hasłem.',
    refused:
      'Nie udało się dodać klucza dostępu. Link mógł wygasnąć, zostać już użyty lub zastąpiony nowszym. Poproś o nowy link.',
    done: 'Dodano klucz dostępu',
    doneText: 'Możesz teraz logować się kluczem dostępu.',
  },
  setUpPasskey: {
    button: 'Użyj zamiast tego klucza dostępu',
    done: (userName) =>
      `Twoja nazwa użytkownika to „${userName}”, a klucz dostępu został zapisany. Użyj go teraz, aby się zalogować.`,
  },
  setUpInsecure: {
    title: 'Pod tym adresem nie można przeprowadzić konfiguracji',
    why: 'Strona została otwarta przez http:// pod adresem, który nie należy do tego komputera. Przeglądarki udostępniają klucze dostępu tylko przez https:// i nie zachowują tu pliku cookie sesji, więc późniejsze logowanie nie byłoby możliwe. Nic nie zostało zmienione, a link jest nadal ważny.',
    how: 'Otwórz link pod adresem, który zaczyna się od https://, i ustaw ten adres w zmiennej SIGNET_EXTERNAL_URL. Na samym serwerze działa też http://localhost.',
  },
  userName: 'Nazwa użytkownika',
}
