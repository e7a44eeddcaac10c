/** Every sentence of the hosted pages, in Brazilian Portuguese. */
import { accountTexts } from './account/pt.ts'
import { applicationTexts } from './applications/pt.ts'
import { approvalTexts } from './approvals/pt.ts'
import type { Texts } from './en.ts'
import { externalTexts } from './external/pt.ts'
import { methodTexts } from './methods/pt.ts'
import { personalTexts } from './personal/pt.ts'
import { signInTexts } from './sign-in/pt.ts'

export const pt: Texts = {
  ...signInTexts,
  ...accountTexts,
  ...applicationTexts,
  ...approvalTexts,
  ...externalTexts,
  ...methodTexts,
  ...personalTexts,
  languages: 'Idiomas',
  summary: 'Ocorreu um problema',
  start: {
    title: 'Boas-vindas',
    lead: 'Entre para gerenciar sua conta, suas chaves de acesso e os aplicativos que você usa.',
    forgotten: 'Esqueceu a senha?',
    api: 'Referência da API (OpenAPI)',
    inbox: 'Caixa de entrada de desenvolvimento',
    health: 'Status do servidor',
    developers: 'Para desenvolvimento e operações',
  },
  verifyEmail: {
    title: 'Confirme seu endereço de e-mail',
    lead: 'Confirme que este endereço de e-mail pertence a você.',
    code: 'Código de verificação',
    codeMissing: 'Digite o código de verificação recebido por e-mail.',
    button: 'Confirmar endereço de e-mail',
    done: 'Endereço de e-mail confirmado',
    doneText: 'Agradecemos. Você já pode fechar esta página.',
  },
  password: {
    resetTitle: 'Escolha uma nova senha',
    resetLead: 'A nova senha substitui a atual. Você também pode usar uma chave de acesso para entrar.',
    inviteTitle: 'Aceite o convite',
    inviteLead:
      'Escolha uma senha ou use uma chave de acesso para concluir a configuração da sua conta. Isso também confirma seu endereço de e-mail.',
    setupTitle: 'Configurar o Signet',
    recoverTitle: 'Recupere sua conta',
    setupLead: 'Escolha uma senha para sua conta de administrador ou use uma chave de acesso.',
    first: 'Nova senha',
    second: 'Repita a senha',
    missing: 'Digite uma senha.',
    different: 'As senhas não são iguais.',
    resetButton: 'Definir senha',
    inviteButton: 'Aceitar convite',
    setupButton: 'Definir senha',
    rules: 'Requisitos da senha',
    atLeast: (count) => (count === 1 ? 'Pelo menos 1 caractere' : `Pelo menos ${count} caracteres`),
    needsLowercase: 'Uma letra minúscula',
    needsUppercase: 'Uma letra maiúscula',
    needsNumber: 'Um número',
    needsSymbol: 'Um símbolo, como ! ou ?',
    notCommon: 'Não pode ser uma senha comum nem seu nome ou endereço de e-mail',
    resetDone: 'Senha definida',
    resetDoneText: 'Use a nova senha na próxima vez que entrar. Você já pode fechar esta página.',
    inviteDone: 'Sua conta está pronta',
    inviteDoneText: 'Sua senha foi definida e seu endereço de e-mail foi confirmado. Você já pode fechar esta página.',
  },
  flaws: {
    too_short: (least) =>
      least === 1 ? 'A senha deve ter pelo menos 1 caractere.' : `A senha deve ter pelo menos ${least} caracteres.`,
    too_long: (_least, most) => `A senha deve ter no máximo ${most} caracteres.`,
    no_lowercase: () => 'A senha deve conter uma letra minúscula.',
    no_uppercase: () => 'A senha deve conter uma letra maiúscula.',
    no_number: () => 'A senha deve conter um número.',
    no_symbol: () => 'A senha deve conter um símbolo.',
    common: () => 'Esta senha é muito comum. Escolha outra.',
    own_name: () => 'Esta senha é muito parecida com seu nome ou endereço de e-mail. Escolha outra.',
  },
  setupEmail: {
    lead: 'Digite seu endereço de e-mail. Você receberá uma mensagem para confirmá-lo.',
    label: 'Endereço de e-mail',
    wrong: 'Digite um endereço de e-mail válido.',
    button: 'Continuar',
  },
  setupDone: {
    title: 'Configuração concluída',
    name: (userName) => `Seu nome de usuário é “${userName}”. Sua senha foi definida e você já entrou.`,
    next: 'Próximos passos',
    console: 'Gerencie usuários, organizações, projetos e aplicativos no console.',
    token: 'Os clientes da API entram com o token do arquivo admin.pat, na pasta de dados. Mantenha-o em segredo.',
    mail: 'Enquanto não houver um servidor de e-mail configurado, todos os e-mails vão para a caixa de entrada de desenvolvimento.',
    api: 'Tudo o que o console faz também está na API.',
  },
  forgotten: {
    title: 'Redefina sua senha',
    lead: 'Digite seu nome de usuário ou endereço de e-mail. Enviaremos um link para redefinir sua senha.',
    name: 'Nome de usuário ou endereço de e-mail',
    missing: 'Digite seu nome de usuário ou endereço de e-mail.',
    button: 'Enviar link',
    closed: 'Não é possível redefinir a senha aqui. Entre em contato com o administrador.',
  },
  sent: {
    title: 'Verifique seu e-mail',
    text: 'Se houver uma conta correspondente, você receberá em alguns minutos um e-mail com um link. Confira também a pasta de spam.',
    again: 'Não recebeu o e-mail? Confira o que digitou e tente novamente ou fale com seu administrador.',
  },
  stale: {
    title: 'Este link não é válido',
    text: 'Ele expirou, já foi usado ou foi substituído por um link mais recente. Solicite outro.',
    button: 'Enviar novo link',
    setupText:
      'Ele expirou, já foi usado ou foi substituído por um link mais recente. Para criar outro, execute “signet setup-link” no servidor ou “signet admin recover” se a conta já estava configurada.',
  },
  incomplete: {
    title: 'Este link está incompleto',
    text: 'Alguns aplicativos de e-mail quebram links longos. Copie o link completo do e-mail para a barra de endereço.',
  },
  busy: {
    title: 'Tente novamente',
    text: 'O servidor está ocupado. Tente novamente em alguns segundos.',
  },
  notFound: {
    title: 'Página não encontrada',
    text: 'Confira o endereço. A página pode ter sido movida ou excluída.',
  },
  notAllowed: { title: 'Solicitação não permitida', text: 'Esta página não aceita este tipo de solicitação.' },
  crossSite: {
    title: 'Solicitação bloqueada',
    text: 'O formulário foi enviado de outro site, por isso nada foi alterado. Abra novamente a página ou o link do seu e-mail.',
  },
  unreadable: {
    title: 'Solicitação inválida',
    text: 'Não foi possível ler o formulário ou ele é grande demais. Volte e tente novamente.',
  },
  fault: {
    title: 'Algo deu errado',
    text: 'Ocorreu um erro do nosso lado. Tente novamente em alguns minutos.',
  },
  signInFailed: {
    title: 'Não foi possível entrar',
    text: 'O login demorou demais ou já havia sido concluído. Volte ao aplicativo e comece de novo.',
  },
  home: 'Ir para a página inicial',
  inbox: {
    title: 'Caixa de entrada de desenvolvimento',
    lead: 'Nenhum servidor de e-mail está configurado, por isso todos os e-mails chegam aqui. Esta página só está disponível neste computador.',
    locked:
      'Abra o link da caixa de entrada que o servidor mostra ao iniciar. A chave está no arquivo “inbox-key”, na pasta de dados.',
    empty: 'Ainda não há e-mails.',
    to: 'Para',
    at: 'Data',
    back: 'Todos os e-mails',
    asText: 'Somente texto',
    body: 'Conteúdo do e-mail',
  },
}
