// Short names for the keywords of captured programs. Macros ignore namespaces: include this file
// only where these names are free.
#pragma once
#include "tutti/control.hpp"
#include "tutti/program.hpp"

#define BEGIN TUTTI_BEGIN
#define END TUTTI_END
#define IF TUTTI_IF
#define ELSEIF TUTTI_ELSEIF
#define ELSE TUTTI_ELSE
#define ENDIF TUTTI_ENDIF
#define WHILE TUTTI_WHILE
#define ENDWHILE TUTTI_ENDWHILE
#define FOR TUTTI_FOR
#define ENDFOR TUTTI_ENDFOR
#define DO TUTTI_DO
#define UNTIL TUTTI_UNTIL
#define BREAK TUTTI_BREAK
#define CONTINUE TUTTI_CONTINUE
