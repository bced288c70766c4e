#include <sunder/sunder.hpp>
