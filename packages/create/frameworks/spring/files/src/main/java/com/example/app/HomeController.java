package com.example.app;

import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.HtmlUtils;

@RestController
class HomeController {

    @GetMapping("/")
    String home(@AuthenticationPrincipal OidcUser user, CsrfToken csrf) {
        if (user == null) {
            return "<h1>Please sign in</h1><a href=\"/oauth2/authorization/signet\">Sign in</a>";
        }
        // Spring Security signs out by POST, with a token of its own against other sites.
        return """
                <h1>Hello %s</h1>
                <form method="post" action="/logout">
                  <input type="hidden" name="%s" value="%s"><button>Sign out</button>
                </form>"""
                .formatted(HtmlUtils.htmlEscape(user.getFullName()), csrf.getParameterName(), csrf.getToken());
    }
}
