/* The functions of libvosk, forwarded to a library opened at run time.
 *
 * build.rs makes a static library named `vosk` of this file, and the crate `vosk` links to it: so the
 * program builds and starts without libvosk, which comes from elsewhere and is not in Debian.
 *
 * One addition: vosk_model_new("library:PATH") opens the library instead of a model. It gives back a
 * model that stands for the library (free it as any other), or NULL if it cannot be opened or is another
 * library. The caller opens it once, before anything else. Until then every function answers as libvosk
 * does when something went wrong. Signatures: vosk_api.h of libvosk 0.3.45. */
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

static void *library;
static char opened;

static void *find(const char *name) { return library ? dlsym(library, name) : NULL; }

#define FORWARD(type, name, parameters, arguments, otherwise)                                          \
    type name parameters {                                                                             \
        static type(*f) parameters;                                                                    \
        if (!f) f = (type(*) parameters)find(#name);                                                   \
        return f ? f arguments : otherwise;                                                            \
    }
#define FORWARD_VOID(name, parameters, arguments)                                                      \
    void name parameters {                                                                             \
        static void(*f) parameters;                                                                    \
        if (!f) f = (void (*) parameters)find(#name);                                                  \
        if (f) f arguments;                                                                            \
    }

void *vosk_model_new(const char *path) {
    static void *(*f)(const char *);
    static const char prefix[] = "library:";
    if (strncmp(path, prefix, sizeof prefix - 1) == 0) {
        if (!library) {
            void *other = dlopen(path + sizeof prefix - 1, RTLD_NOW | RTLD_LOCAL);
            if (other && dlsym(other, "vosk_recognizer_new_grm")) library = other;
            else if (other) dlclose(other);
        }
        return library ? &opened : NULL;
    }
    if (!f) f = (void *(*)(const char *))find("vosk_model_new");
    return f ? f(path) : NULL;
}

void vosk_model_free(void *model) {
    static void (*f)(void *);
    if (model == &opened) return;
    if (!f) f = (void (*)(void *))find("vosk_model_free");
    if (f) f(model);
}

FORWARD(int, vosk_model_find_word, (void *m, const char *word), (m, word), -1)
FORWARD(void *, vosk_spk_model_new, (const char *path), (path), NULL)
FORWARD_VOID(vosk_spk_model_free, (void *m), (m))
FORWARD(void *, vosk_recognizer_new, (void *m, float rate), (m, rate), NULL)
FORWARD(void *, vosk_recognizer_new_spk, (void *m, float rate, void *s), (m, rate, s), NULL)
FORWARD(void *, vosk_recognizer_new_grm, (void *m, float rate, const char *g), (m, rate, g), NULL)
FORWARD_VOID(vosk_recognizer_set_spk_model, (void *r, void *s), (r, s))
FORWARD_VOID(vosk_recognizer_set_max_alternatives, (void *r, int n), (r, n))
FORWARD_VOID(vosk_recognizer_set_words, (void *r, int on), (r, on))
FORWARD_VOID(vosk_recognizer_set_partial_words, (void *r, int on), (r, on))
FORWARD_VOID(vosk_recognizer_set_nlsml, (void *r, int on), (r, on))
FORWARD(int, vosk_recognizer_accept_waveform, (void *r, const char *d, int n), (r, d, n), -1)
FORWARD(int, vosk_recognizer_accept_waveform_s, (void *r, const short *d, int n), (r, d, n), -1)
FORWARD(int, vosk_recognizer_accept_waveform_f, (void *r, const float *d, int n), (r, d, n), -1)
FORWARD(const char *, vosk_recognizer_result, (void *r), (r), "{\"text\":\"\"}")
FORWARD(const char *, vosk_recognizer_final_result, (void *r), (r), "{\"text\":\"\"}")
FORWARD(const char *, vosk_recognizer_partial_result, (void *r), (r), "{\"partial\":\"\"}")
FORWARD_VOID(vosk_recognizer_reset, (void *r), (r))
FORWARD_VOID(vosk_recognizer_free, (void *r), (r))
FORWARD_VOID(vosk_set_log_level, (int level), (level))
FORWARD_VOID(vosk_gpu_init, (void), ())
FORWARD_VOID(vosk_gpu_thread_init, (void), ())
